/** The demo's worker processes. A planner that dies gets a successor, as from any supervisor; executors stand in for each other. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { demoCast } from '../../../src/cli/demo/job.js';

export interface CrewOptions {
  readonly ledger: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

interface Member {
  readonly role: string;
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
}

export class Crew {
  readonly #options: CrewOptions;
  #members: Member[] = [];

  private constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** Resolves when all are ready. */
  static async start(options: CrewOptions): Promise<Crew> {
    const crew = new Crew(options);
    const roles = Object.entries(demoCast).flatMap(([role, count]) => Array.from({ length: count }, () => role));
    await Promise.all(roles.map((role) => crew.#hire(role)));
    return crew;
  }

  /** SIGKILL of the only planner, and another one in its place. */
  async killPlanner(): Promise<void> {
    await this.#kill(this.#members.filter(({ role }) => role === 'planner')[0]);
    await this.#hire('planner');
  }

  /** SIGKILL of the executor with this process id, or, if it is none, of the one at this place in the row. */
  async killExecutor(pid: number | undefined, place: number): Promise<void> {
    const executors = this.#members.filter(({ role }) => role === 'executor');
    await this.#kill(executors.find(({ child }) => child.pid === pid) ?? executors[place % executors.length]);
  }

  async stop(): Promise<void> {
    for (const { child } of this.#members) child.kill('SIGTERM');
    await Promise.all(this.#members.map(({ exited }) => exited));
  }

  async #kill(member: Member | undefined): Promise<void> {
    if (member === undefined) throw new Error('there is nobody to kill');
    this.#members = this.#members.filter((other) => other !== member);
    member.child.kill('SIGKILL');
    await member.exited;
  }

  async #hire(role: string): Promise<void> {
    const { ledger, settings } = this.#options;
    const program = fileURLToPath(new URL('worker.js', import.meta.url));
    const child = fork(program, [role, ledger, JSON.stringify(settings)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.#members.push({ role, child, exited });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      void exited.then(() => reject(new Error(`a ${role} ended before it was ready`)));
    });
  }
}
