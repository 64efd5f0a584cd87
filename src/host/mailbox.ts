/** What comes to an agent while a host has it: hints that something arrived, and the messages themselves as events. */
import type { Bus, Stored } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import type { Failure, Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import type { JsonObject } from '../domain/json.js';
import type { Message } from '../domain/message.js';
import { createdEvent, type Hosted, messageEvent } from './hosted.js';
import type { Role } from './role.js';

export interface MailboxOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly role: Role;
  readonly onFailure: (failure: Failure, agentId: AgentId) => void;
}

export interface Mailbox {
  /** Something may have arrived since the last `read`. */
  full: boolean;
  /** Called when it becomes full. */
  onFull: () => void;
  /** Something may have arrived: the message of that sequence, if that is known. */
  hear(seq?: number): void;
  /** Empties it: new inbox messages as events, in order. */
  read(): Promise<JsonObject[]>;
}

const retryMs = 1_000;

/** The first message of an agent's life creates it, repeats are passed over. */
export function openMailbox(hosted: Hosted, { bus, clock, role, onFailure }: MailboxOptions): Mailbox {
  const { agentId } = hosted;
  let isFirst = true;
  let isReading = false;
  /** Heard of during a read, which may bring it. */
  let heard = 0;

  const readNew = async (): Promise<Result<Stored<Message>[]>> => {
    const messages = await bus.inbox.read(agentId, hosted.inbox, true);
    const isVain = isFirst && messages.ok && messages.value.length === 0 && hosted.inbox > 0;
    isFirst = false;
    // Woken for nothing: where messages were lost, a new one may have the sequence of the last that was consumed.
    return isVain ? bus.inbox.read(agentId, hosted.inbox - 1) : messages;
  };

  const eventOf = ({ seq, value: message }: Stored<Message>, exists: boolean): JsonObject | undefined => {
    hosted.inbox = seq;
    if (hosted.seen.has(message.id)) return undefined;
    hosted.seen.add(message.id);
    if (message.type !== 'task.ordered') return exists ? messageEvent(message, seq, clock.now()) : undefined;
    return exists ? undefined : createdEvent(role, message.order, message.id, clock.now());
  };

  return {
    full: true,
    onFull: () => {},
    hear(seq) {
      if (seq !== undefined && seq <= hosted.inbox) return; // it has been read
      if (seq !== undefined && isReading) {
        heard = Math.max(heard, seq);
        return;
      }
      this.full = true;
      this.onFull();
    },
    async read() {
      this.full = false;
      isReading = true;
      const messages = await readNew();
      isReading = false;
      if (!messages.ok) {
        onFailure(messages.failure, agentId);
        void clock.sleep(retryMs).then(() => this.hear());
        return [];
      }
      const events: JsonObject[] = [];
      for (const message of messages.value) {
        const event = eventOf(message, hosted.snapshot !== undefined || events.length > 0);
        if (event !== undefined) events.push(event);
      }
      if (heard > hosted.inbox) this.full = true;
      heard = 0;
      return events;
    },
  };
}
