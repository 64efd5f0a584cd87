/** `hact replay`: the journal of an agent, record by record. */
import type { Command } from 'commander';
import { FailureError, failure } from '../../domain/failure.js';
import type { AgentId } from '../../domain/id.js';
import type { JournalRecord } from '../../domain/journal.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { exitCodes } from '../exit.js';
import { value, withJson, withRuntime } from '../session.js';
import { type Flags, withSettings } from '../settings.js';
import { clip, oneLine, pad, type Style } from '../style.js';
import { agentIdFrom, wholeNumber } from './task.js';

export function addReplayCommand(program: Command): void {
  withSettings(
    withJson(
      program
        .command('replay')
        .description('the journal of a task’s root agent, or of one agent')
        .argument('<id>', 'a task or an agent', agentIdFrom),
    ),
  )
    .option('--until <seq>', 'up to this journal sequence')
    .action(replay);
}

const replay = (agentId: AgentId, flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async ({ bus, output }) => {
    const until = wholeNumber('--until', flags.until) ?? Number.POSITIVE_INFINITY;
    const records = value(await bus.journal.read(agentId, 0)).filter(({ seq }) => seq <= until);
    if (records.length === 0) {
      throw new FailureError(
        failure(
          'not_found',
          `there is no journal of ${agentId}${until === Number.POSITIVE_INFINITY ? '' : ` up to ${until}`}`,
          'a task that no worker took has none yet',
        ),
      );
    }
    for (const { seq, value: record } of records) {
      output.json({ seq, record });
      for (const line of recordLines(seq, record, output.style))
        output.print(clip(line, Math.max(80, output.columns() - 1)));
    }
    return exitCodes.done;
  });

function recordLines(seq: number, record: JournalRecord, style: Style): string[] {
  const time = new Date(record.at).toISOString().slice(11, 23);
  const head = (what: string) => `${style.dim(`${pad(String(seq), 6)} ${time}`)} ${what}`;
  switch (record.kind) {
    case 'epoch':
      return [
        head(
          style.yellow(`host ${record.host} takes over (epoch ${record.epoch}, statechart v${record.machineVersion})`),
        ),
      ];
    case 'released':
      return [head(style.dim('handed over in good order'))];
    case 'part':
      return [
        head(
          `  ${record.effectId} ${record.part} ${record.state}${record.state === 'settled' ? `: ${shown(record.outcome)}` : ''}`,
        ),
      ];
    case 'step':
      return [
        head(style.bold(record.state)),
        ...record.events.map((event) => `${' '.repeat(20)}← ${eventText(event)}`),
        ...record.intents.map(
          ({ id, src, input }) =>
            `${' '.repeat(20)}→ ${src} ${style.dim(`(${id})`)} ${input === null ? '' : shown(input)}`,
        ),
        ...record.stopped.map((id) => `${' '.repeat(20)}× ${id} given up`),
        ...record.outgoing.map(({ delivery }) => `${' '.repeat(20)}⇒ ${deliveryText(delivery)}`),
      ];
  }
}

function eventText(event: JsonObject): string {
  const { type, ...rest } = event;
  const name = String(type).replace('xstate.done.actor.', '').replace('xstate.error.actor.', 'error in ');
  return `${pad(name, 18)} ${shown(rest.output ?? rest)}`;
}

function deliveryText(delivery: Extract<JournalRecord, { kind: 'step' }>['outgoing'][number]['delivery']): string {
  switch (delivery.to) {
    case 'inbox':
      return `${delivery.message.type} to ${delivery.agentId} (${delivery.role})`;
    case 'timer':
      return `timer ${delivery.name} at ${new Date(delivery.dueAt).toISOString()}`;
    case 'task':
      return `result to the client: ${delivery.report.status}`;
    case 'human':
      return delivery.request === null ? `withdraws ${delivery.key}` : `asks a human: ${delivery.key}`;
  }
}

const shown = (value: Json): string => oneLine(JSON.stringify(value)).slice(0, 2_000);
