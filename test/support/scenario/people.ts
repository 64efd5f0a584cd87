/** Scripted people: they approve, reject, answer, pause, correct, resume and cancel, as the scenario says. */
import type { Client } from '../../../src/control/client.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import type { ApprovalId, TaskId } from '../../../src/domain/id.js';
import { systemClock } from '../../../src/observe/clock.js';
import type { Scenario } from './scenario.js';
import type { ToolRun } from './stage.js';

type Human = Scenario['humans'][number];

export class People {
  /** What was done, in order. */
  readonly acted: string[] = [];
  private taskId: TaskId | undefined;
  private readonly times = new Map<Human, number>();
  private busy: Promise<void> = Promise.resolve();

  constructor(
    private readonly scenario: Scenario,
    private readonly client: Client,
  ) {}

  meet(taskId: TaskId): void {
    this.taskId = taskId;
  }

  /** Resolves when everything begun is done. */
  done(): Promise<void> {
    return this.busy;
  }

  /** A tool's answer waits until the people who watch it have acted. */
  async afterTool(run: ToolRun): Promise<void> {
    for (const human of this.take('after_tool', run.tool)) await this.act(human);
  }

  sees(event: FeedEvent): void {
    if (event.kind !== 'asked') return;
    const { request } = event;
    if (request.kind === 'approval')
      for (const human of this.take('approval_requested', request.tool))
        this.later(() => this.decide(human, request.id));
    else for (const human of this.take('question_asked')) this.later(() => this.answer(human, request.id));
  }

  private take(on: string, tool?: string): Human[] {
    const fitting = this.scenario.humans.filter(
      (human) =>
        human.on === on && (human.tool ?? tool) === tool && (this.times.get(human) ?? 0) < (human.times ?? Infinity),
    );
    for (const human of fitting) this.times.set(human, (this.times.get(human) ?? 0) + 1);
    return fitting;
  }

  private later(act: () => Promise<void>): void {
    this.busy = this.busy.then(act);
  }

  private async act(human: Human): Promise<void> {
    const { taskId } = this;
    if (taskId === undefined) return;
    const { action, by, text = '' } = human;
    await systemClock.sleep(human.after_ms);
    this.acted.push(action);
    if (action === 'pause') {
      await this.client.pause({ taskId, by });
      for (const next of this.take('paused')) this.later(() => this.act(next));
    } else if (action === 'correct') {
      await this.client.correct({ taskId, by, text });
      for (const next of this.take('corrected')) this.later(() => this.act(next));
    } else if (action === 'resume') {
      await this.client.resume({ taskId, by });
    } else if (action === 'cancel') {
      await this.client.cancel({ taskId, by });
    }
  }

  private async answer({ action, after_ms, by, text = '' }: Human, id: ApprovalId): Promise<void> {
    await systemClock.sleep(after_ms);
    this.acted.push(action);
    await this.client.answer({ id, text, by });
  }

  private async decide(human: Human, id: ApprovalId): Promise<void> {
    await systemClock.sleep(human.after_ms);
    this.acted.push(human.action);
    const options = { by: human.by, ...(human.text === undefined ? {} : { reason: human.text }) };
    await (human.action === 'approve' ? this.client.approve(id, options) : this.client.deny(id, options));
  }
}
