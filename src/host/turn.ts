/**
 * One turn of an agent: from the moment a host has it until it rests, ends, or is lost.
 *
 * Each step: take events, let the machine move, do what only computes, append one record, and only then send what must
 * leave and start what must be done. The record comes before everything that the world can notice.
 */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import type { FeedEvent } from '../domain/event.js';
import { type Failure, FailureError, failure } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import type { Intent, JournalRecord, Outgoing } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import { Alarm } from './alarm.js';
import { commit } from './commit.js';
import {
  applyEvent,
  doneEvent,
  errorEvent,
  type Hosted,
  isEnded,
  isStale,
  isTooLarge,
  largestOutcome,
  type OpenEffect,
  phaseIn,
  recallIn,
  refusedOutcome,
  tooLargeOutcome,
} from './hosted.js';
import type { Leases } from './lease.js';
import { Errands, type LingerOptions } from './linger.js';
import type { Mailbox } from './mailbox.js';
import { sendUnsent } from './outbox.js';
import { type Standing, standingOf, wasReplaced, whenCertain } from './standing.js';

export type TurnEnd = 'parked' | 'ended' | 'lost' | 'released';

export interface TurnOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly hostId: string;
  /** While they are in doubt, no effect is started. */
  readonly leases: Pick<Leases, 'confirmed' | 'lapses'>;
  /** For effects that only compute: they are done before anything could stop them. */
  readonly never: AbortSignal;
  /** The host is going down: let go between two steps. */
  readonly draining: () => boolean;
  readonly mayLinger: LingerOptions['mayLinger'];
  readonly mailbox: Mailbox;
  /** Called back when the host leaves without waiting any longer; returns the way to be forgotten. */
  readonly onLeave: (callback: () => void) => () => void;
  readonly onFeed: (events: readonly FeedEvent[]) => void;
  readonly onFailure: (failure: Failure, agentId: AgentId) => void;
  readonly onBug: (error: unknown, where: string) => void;
}

interface Step {
  readonly events: JsonObject[];
  readonly begun: OpenEffect[];
  readonly stopped: OpenEffect[];
  readonly outgoing: Outgoing[];
  readonly born: boolean;
}

/** Throws what the agent cannot go on with: a bug, or damage to its journal. */
export async function runTurn(hosted: Hosted, first: readonly JsonObject[], options: TurnOptions): Promise<TurnEnd> {
  const turn = new Turn(hosted, options);
  // Whoever was cut off may have been replaced, and must not go on until its next record is refused.
  const stopHearing = options.bus.onStatus(({ connected }) => {
    if (connected) void wasReplaced(hosted, options.bus).then((is) => is && turn.abandon());
  });
  try {
    const end = await turn.run(first);
    if (turn.damage !== undefined) throw turn.damage;
    return end;
  } finally {
    stopHearing();
    turn.abandon();
  }
}

/** The life of one agent in one host. */
class Turn {
  private readonly queue: JsonObject[] = [];
  private readonly running = new Map<OpenEffect, AbortController>();
  private lost = false;
  /** Why no record can follow any more. */
  damage: unknown;
  /** An outcome was too large to be recorded: the agent is brought back as it was before, to hear of that instead. */
  private refused = false;
  private wakeUp: () => void = () => {};
  private forget: () => void = () => {};
  private readonly alarm: Alarm;
  /** Of an effect that ended by itself, for the next one: making a signal costs more than a step of the machine. */
  private spare: AbortController | undefined;
  private readonly errands: Errands;
  private readonly standing: () => Promise<Standing>;

  constructor(
    private readonly hosted: Hosted,
    private readonly options: TurnOptions,
  ) {
    this.standing = standingOf(hosted, options);
    this.errands = new Errands(hosted.lane, options);
    this.alarm = new Alarm(hosted, options.clock, (event) => {
      this.queue.push(event);
      this.wakeUp();
    });
  }

  async run(first: readonly JsonObject[]): Promise<TurnEnd> {
    const { hosted, options } = this;
    options.mailbox.onFull = () => this.wakeUp();
    this.forget = options.onLeave(this.abandon);
    this.queue.push(...first);
    await this.send(); // what an earlier host recorded and may not have sent
    await this.finishLocal();
    this.alarm.keep();
    while (!this.lost) {
      if (this.refused) return this.running.size === 0 ? this.release() : 'lost';
      if (isEnded(hosted)) return 'ended';
      // What people and children say comes before what effects brought: a pause must stop the next call.
      if (options.mailbox.full) this.queue.unshift(...(await options.mailbox.read()));
      if (this.lost) break; // while the inbox was read
      if (this.queue.length > 0) await this.step();
      else if (hosted.open.size === 0) {
        await this.errands.linger(this.somethingNew, () => this.wakeUp());
        if (!this.isNew()) return 'parked';
      } else if (options.draining() && this.running.size === 0) return this.release();
      else if (this.running.size < hosted.open.size && !options.draining()) await this.startAll();
      else await this.somethingNew();
    }
    return 'lost';
  }

  /** Stops everything under way; outcomes that still come are dropped. */
  readonly abandon = (): void => {
    this.lost = true;
    this.forget();
    this.alarm.turnOff();
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
    this.wakeUp();
  };

  private readonly isLost = (): boolean => this.lost;

  private async step(): Promise<void> {
    const { hosted, options } = this;
    const step = await this.fold();
    const at = options.clock.now();
    const record: JournalRecord = {
      v: 1,
      kind: 'step',
      epoch: hosted.epoch,
      at,
      events: step.events,
      intents: step.begun.map((effect): Intent => effect.intent),
      stopped: step.stopped.map((effect) => effect.intent.id),
      outgoing: step.outgoing,
      sent: hosted.sent,
      inbox: hosted.inbox,
      state: phaseIn(hosted),
    };
    if (!(await this.append(record).catch((error: unknown) => this.refuse(step.events, error)))) return;
    hosted.sent = [];
    for (const outgoing of step.outgoing) hosted.unsent.set(outgoing.id, outgoing);
    this.errands.note(step.outgoing, step.events);
    for (const effect of step.stopped) this.stop(effect);
    this.tell(step, at);
    this.alarm.keep();
    await this.send();
  }

  /**
   * A record that is too large was not stored, while the machine has moved on already. What the next host must know in
   * place of the outcome is recorded, so that the effect is not made again. Nothing can be done about other large records.
   */
  private async refuse(events: readonly JsonObject[], error: unknown): Promise<boolean> {
    const { agentId, epoch, role } = this.hosted;
    const event = largestOutcome(events, role.local);
    if (!isTooLarge(error) || event === undefined) throw error;
    const at = this.options.clock.now();
    const effectId = `${agentId}.${String(event.ref)}`;
    const outcome: Json = { ...tooLargeOutcome(event) };
    this.options.onFailure(tooLargeOutcome(event), agentId);
    this.refused = await this.append({
      v: 1,
      kind: 'part',
      epoch,
      at,
      effectId,
      part: refusedOutcome,
      state: 'settled',
      outcome,
    });
    return false;
  }

  /** Moves the machine by all events at hand; what only computes is done in between. */
  private async fold(): Promise<Step> {
    const { hosted } = this;
    const step: Step = { events: [], begun: [], stopped: [], outgoing: [], born: hosted.snapshot === undefined };
    for (let event = this.queue.shift(); event !== undefined; event = this.queue.shift()) {
      if (isEnded(hosted)) break; // nobody is there any more to hear it
      if (isStale(hosted, event)) continue;
      const { begun, givenUp, outgoing } = applyEvent(hosted, event);
      step.events.push(event);
      step.begun.push(...begun.filter((effect) => !this.isLocal(effect)));
      step.stopped.push(...givenUp);
      step.outgoing.push(...outgoing);
      const computed = await this.compute();
      if (computed !== undefined) this.queue.unshift(computed);
    }
    const open = new Set(hosted.open.values());
    return { ...step, begun: step.begun.filter((effect) => open.has(effect)) };
  }

  private isLocal(effect: OpenEffect): boolean {
    return this.hosted.role.local.has(effect.intent.src);
  }

  /** Carries out the local effect that is open, if there is one. */
  private async compute(): Promise<JsonObject | undefined> {
    const effect = [...this.hosted.open.values()].find((open) => this.isLocal(open));
    return effect === undefined ? undefined : this.perform(effect, this.options.never);
  }

  /** A local effect whose outcome was not recorded any more is done again. */
  private async finishLocal(): Promise<void> {
    const computed = await this.compute();
    if (computed !== undefined) this.queue.unshift(computed);
  }

  private async startAll(): Promise<void> {
    const { hosted, options, running } = this;
    // Back to the loop when in doubt: what people say, and being lost, come before the effects.
    if (!(await this.stands(() => this.lost || options.mailbox.full || options.draining()))) return;
    for (const effect of hosted.open.values()) if (!running.has(effect)) this.start(effect);
  }

  /** Whether the agent is ours, so that something may begin. */
  private async stands(isOver: () => boolean): Promise<boolean> {
    const standing = await whenCertain(this.standing, this.options.clock, isOver);
    if (standing === 'replaced') this.abandon();
    return standing === 'sure' && !isOver();
  }

  private start(effect: OpenEffect): void {
    const controller = this.spare ?? new AbortController();
    this.spare = undefined;
    this.running.set(effect, controller);
    void this.perform(effect, controller.signal).then((event) => {
      if (this.running.get(effect) !== controller) return; // stopped or lost meanwhile: a late outcome changes nothing
      this.running.delete(effect);
      this.spare = controller;
      this.queue.push(event);
      this.wakeUp();
    });
  }

  /** Nothing of the effect may begin any more, even while the record that says so cannot be stored. */
  private isOver(effect: OpenEffect): boolean {
    const { hosted, running } = this;
    return !running.has(effect) || hosted.open.get(effect.intent.src) !== effect || this.alarm.isDue();
  }

  private stop(effect: OpenEffect): void {
    this.running.get(effect)?.abort();
    this.running.delete(effect);
  }

  private async perform(effect: OpenEffect, signal: AbortSignal): Promise<JsonObject> {
    const { hosted, options } = this;
    const refused = effect.parts.get(refusedOutcome)?.outcome;
    if (refused !== undefined) return errorEvent(effect, refused as unknown as Failure, options.clock.now());
    effect.attempts += 1;
    try {
      const output = await hosted.role.perform(effect.intent.src, {
        agentId: hosted.agentId,
        effectId: effect.intent.id,
        input: effect.intent.input,
        attempt: effect.attempts,
        context: hosted.snapshot?.context,
        signal,
        recall: recallIn(hosted),
        parts: effect.parts,
        stands: () => this.stands(() => this.isOver(effect)),
        begin: (part) => this.record(effect, part, 'begun', null),
        settle: (part, outcome) => this.record(effect, part, 'settled', outcome),
        memo: hosted.memo,
      });
      return doneEvent(effect, output, options.clock.now());
    } catch (error) {
      if (error instanceof FailureError) options.onFailure(error.failure, hosted.agentId);
      else options.onBug(error, `effect ${effect.intent.id} ${effect.intent.src}`);
      return errorEvent(effect, causeOf(error), options.clock.now());
    }
  }

  private async record(effect: OpenEffect, part: string, state: 'begun' | 'settled', outcome: Json): Promise<boolean> {
    const { hosted, options, running } = this;
    if (!running.has(effect)) return false;
    const { epoch } = hosted;
    const at = options.clock.now();
    const stands = await this.append({
      v: 1,
      kind: 'part',
      epoch,
      at,
      effectId: effect.intent.id,
      part,
      state,
      outcome,
    });
    if (stands) effect.parts.set(part, { state, outcome });
    return stands && running.has(effect);
  }

  private appending: Promise<boolean> = Promise.resolve(true);

  /** Appends one after the other, as every append needs the sequence of the one before. A refused one means the agent is lost. */
  private append(record: JournalRecord): Promise<boolean> {
    const appended = this.appending.then(async (before) => {
      const stands =
        before && !this.lost && (await commit(this.hosted, record, this.options, this.isLost).catch(this.noteDamage));
      if (!stands) {
        this.lost = true;
        this.wakeUp();
      }
      return stands;
    });
    this.appending = appended.catch(() => true); // what was too large was not stored, so the next may follow
    return appended;
  }

  private readonly noteDamage = (error: unknown): false => {
    if (isTooLarge(error)) throw error;
    this.damage = error;
    return false;
  };

  private async send(): Promise<void> {
    const { hosted } = this;
    if (hosted.unsent.size > 0) hosted.sent.push(...(await sendUnsent(hosted, this.options, this.isLost)));
  }

  private tell(step: Step, at: number): void {
    const { hosted, options } = this;
    const view = {
      agentId: hosted.agentId,
      state: phaseIn(hosted),
      context: hosted.snapshot?.context,
      events: step.events,
      deliveries: step.outgoing.map(({ delivery }) => delivery),
      seq: hosted.seq,
      born: step.born,
      ended: isEnded(hosted),
      host: options.hostId,
      at,
    };
    options.onFeed(hosted.role.describe(view, recallIn(hosted)));
  }

  private readonly somethingNew = (): Promise<void> =>
    new Promise((resolve) => {
      this.wakeUp = resolve;
      if (this.isNew()) resolve();
    });

  private isNew(): boolean {
    return this.queue.length > 0 || this.lost || this.options.mailbox.full;
  }

  /** Says that the effects of the last step were not started, so that the next host need not doubt. */
  private async release(): Promise<TurnEnd> {
    const { hosted, options } = this;
    const record = { v: 1, kind: 'released', epoch: hosted.epoch, at: options.clock.now() } as const;
    return (await this.append(record)) ? 'released' : 'lost';
  }
}

const causeOf = (error: unknown): Failure =>
  error instanceof FailureError
    ? error.failure
    : failure('internal', error instanceof Error ? error.message : String(error));
