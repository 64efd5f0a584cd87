/**
 * The brain of the demo: rules in place of a model. It reads only what any model reads (goal, tools, transcript), takes
 * its numbers from tool results alone, and delivers its calls in a seeded disorder that leaves their meaning as it is.
 */
import type { Answer, Asked, Brain, Reply, ReplyMessage } from './brain.js';
import { executorIntent } from './executor-brain.js';
import type { Intent, Scene } from './intent.js';
import { fenced, misspelt, native, singleQuoted, tagged, thinking, truncated, xml } from './mess.js';
import { plannerIntent } from './planner-brain.js';
import { readPrompt } from './transcript.js';

export interface AnalystOptions {
  /** Decides which question comes in which disorder. */
  readonly seed: number;
  /** False: every reply is orderly and every request is answered. */
  readonly mess: boolean;
}

/** Conversations whose mishaps are remembered; the oldest are forgotten. */
const mostConversations = 5_000;

export function analystBrain({ seed, mess }: AnalystOptions): Brain {
  const mishaps = new Map<string, Set<string>>();

  /** True the first time this happens in a conversation: a request that is made again fares better. */
  const happens = (asked: Asked, mishap: string): boolean => {
    let known = mishaps.get(asked.conversation);
    if (known === undefined) {
      known = new Set();
      mishaps.set(asked.conversation, known);
      const [oldest] = mishaps.keys();
      if (mishaps.size > mostConversations && oldest !== undefined) mishaps.delete(oldest);
    }
    if (known.has(mishap)) return false;
    known.add(mishap);
    return true;
  };

  return (asked) => {
    const seen = readPrompt(asked.messages);
    const isPlanner = asked.tools.includes('delegate_task');
    const intent = isPlanner ? plannerIntent(seen, asked, mess ? starved(seed) : 0) : executorIntent(seen, asked);
    if (!mess) return orderly(intent, seen.turns);
    return disorderly(intent, seen.turns, seed, (mishap) => happens(asked, `${seen.turns}.${mishap}`));
  };
}

/** The question whose first budget is too small. */
const starved = (seed: number): number => 1 + (Math.abs(seed) % 2);

const reply = (
  message: ReplyMessage,
  finishReason = message.tool_calls === undefined ? 'stop' : 'tool_calls',
): Reply => ({
  kind: 'reply',
  message,
  finishReason,
});

const orderly = ({ calls, text, thought }: Intent, turn: number): Reply => reply(native(calls, turn, text, thought));

type Happens = (mishap: string) => boolean;

function disorderly(intent: Intent, turn: number, seed: number, happens: Happens): Answer {
  const { scene } = intent;
  switch (scene.kind) {
    case 'profile':
      return profileMess(intent, scene.step);
    case 'question':
      return questionMess(intent, scene, turn, seed, happens);
    case 'retry':
      return reply({ ...native(intent.calls, turn, thinking(intent.thought, intent.text), '') });
    default:
      return orderly(intent, turn);
  }
}

/** Thoughts in tags, single quotes and a misspelt name; then a fenced call. */
const profileMess = ({ calls, thought }: Intent, step: 'call' | 'finish'): Reply =>
  step === 'call'
    ? reply({ content: thinking(thought, singleQuoted(misspelt(calls, 'camel'))) })
    : reply({ content: fenced(calls) });

type QuestionScene = Extract<Scene, { step: string }>;

function questionMess(intent: Intent, scene: QuestionScene, turn: number, seed: number, happens: Happens): Answer {
  const { calls, thought, text } = intent;
  const plain = orderly(intent, turn);
  if (scene.attempt > 1)
    return scene.step === 'call' ? reply(native(misspelt(calls, 'hyphen'), turn, text, thought)) : plain;
  if (scene.n === starved(seed)) return plain;
  const others = [1, 2, 3].filter((n) => n !== starved(seed));
  const isLimited = (others.indexOf(scene.n) + Math.floor(Math.abs(seed) / 2)) % 2 === 0;
  if (isLimited) {
    if (scene.step === 'finish') return reply({ content: thinking(thought === '' ? text : thought, tagged(calls)) });
    if (happens('429')) return { kind: 'fault', fault: { kind: 'status', status: 429, retryAfterSeconds: 1 } };
    return reply({ content: xml(calls, seed % 2 === 0 ? 'invoke' : 'function') });
  }
  if (scene.step === 'finish') return happens('cut') ? { kind: 'fault', fault: { kind: 'cut', reply: plain } } : plain;
  if (happens('truncated'))
    return reply(
      {
        content: truncated(
          `${text}<tool_call>\n${JSON.stringify({ name: calls[0]?.name, arguments: calls[0]?.arguments })}`,
        ),
      },
      'length',
    );
  return reply({ content: tagged([...calls, ...calls]) });
}
