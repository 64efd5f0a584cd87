/** Fails a run whose tests left processes behind, names them, and ends them. Linux only: elsewhere it sees nothing. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const mark = 'TEST_RUN_ID';
const patienceMs = 5_000;

interface Process {
  readonly pid: number;
  readonly command: string;
}

async function processOf(pid: number, id: string): Promise<Process | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    if (!environment.split('\0').includes(`${mark}=${id}`)) return undefined;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    // Test workers belong to the runner, which ends them itself. A zombie has no command any more.
    return command === '' || command.includes('/vitest/dist/') ? undefined : { pid, command };
  } catch {
    return undefined;
  }
}

/** Every process that was started, at whatever remove, by the test run with this id. */
async function startedBy(id: string): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const found = await Promise.all(pids.map((pid) => processOf(pid, id)));
  return found.filter((item) => item !== undefined);
}

export default function watchForLeftovers(): () => Promise<void> {
  // Every project of the run calls this; they share one id.
  const id = process.env[mark] ?? randomUUID();
  process.env[mark] = id;
  return async () => {
    const until = Date.now() + patienceMs;
    let left = await startedBy(id);
    while (left.length > 0 && Date.now() < until) {
      await delay(100);
      left = await startedBy(id);
    }
    if (left.length === 0) return;
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself in between.
      }
    }
    process.exitCode = 1;
    console.error(
      `\nThe tests left processes behind:\n${left.map(({ pid, command }) => `  ${pid} ${command}`).join('\n')}`,
    );
  };
}
