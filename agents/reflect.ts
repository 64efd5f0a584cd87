/** Looks back over the last rounds by rule, without a model call: what worked, what did not, and how much is left. */
import type { AgentContext, Round } from '../machines/context.js';
import type { Reflection } from '../machines/event.js';
import { remaining } from '../src/domain/budget.js';
import type { EffectScope } from '../src/host/role.js';
import { contextIn } from './record.js';

export function reflect(scope: EffectScope): Reflection {
  const context = contextIn(scope);
  const rounds = context.transcript.filter((entry): entry is Round => entry.kind === 'round').slice(-6);
  const results = rounds.flatMap((round) => round.results);
  const failing = [...new Set(results.filter(({ status }) => status !== 'ok').map(({ name }) => name))];
  const worked = [...new Set(results.filter(({ status }) => status === 'ok').map(({ name }) => name))];
  const lines = [`Looking back after ${context.round} rounds:`];
  if (worked.length > 0) lines.push(`- worked: ${worked.join(', ')}`);
  if (failing.length > 0)
    lines.push(`- failed lately: ${failing.join(', ')}; change the arguments, take another way, or leave it out`);
  if (repeats(rounds)) lines.push('- the last rounds repeat an action; a repeat will bring nothing new');
  lines.push(`- left: ${left(context)}`, '- check against the goal: what is still missing? If nothing, finish.');
  return { text: lines.join('\n') };
}

const repeats = (rounds: readonly Round[]): boolean =>
  new Set(rounds.map((round) => round.actionHash)).size < rounds.length;

function left(context: AgentContext): string {
  const { rounds, tokens } = remaining(context.ledger);
  return `${rounds} rounds, ${tokens} tokens`;
}
