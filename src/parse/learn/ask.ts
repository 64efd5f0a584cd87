/** The last rung: what a small model makes of a question, checked before it counts as anything. */
import type { ChatMessage } from '../../domain/chat.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { fitArguments } from '../fit.js';
import { findingText } from '../meaning/finding.js';
import type { Goal } from '../meaning/meaning.js';
import type { ParseTool } from '../name.js';
import { parseReply } from '../reply.js';
import { isObject, list, properties, resolve } from '../schema.js';
import { lessonFromPeriod, lessonFromText, lessonsFromArguments } from './induce.js';
import type { Mended, MendedCall, Question } from './mend.js';
import type { Lesson } from './rule.js';

/** Of arguments that a model guessed. */
export const guessConfidence = 0.4;

const SAID_MAX = 4_000;
const TOOLS_MAX = 8;

/** The prompt for a question: the text, the schema, what is wrong. The same question gives the same prompt. */
export function questionPrompt(question: Question, tools: readonly ParseTool[], goal: Goal | undefined): ChatMessage[] {
  const schemas = question.about === 'text' ? mentioned(tools, question.said) : [question.tool];
  const shown = schemas.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  const rules =
    'You repair a tool call that another model wrote. Answer with one JSON object {"name": …, "arguments": {…}} and nothing else. Use only values that stand in the text or the goal; invent nothing. If no call was meant, answer {}.';
  return [
    { role: 'system', content: rules },
    { role: 'user', content: [`Tools:\n${shown.join('\n')}`, problemOf(question, goal)].join('\n\n') },
  ];
}

function problemOf(question: Question, goal: Goal | undefined): string {
  const aim = goal === undefined ? '' : `\nGoal: ${goal.text.slice(0, 1_000)}\nToday: ${goal.today}`;
  switch (question.about) {
    case 'text':
      return `Text:\n${question.said.slice(0, SAID_MAX)}${aim}`;
    case 'arguments':
      return `Arguments of ${question.tool.name}: ${clipped(question.given)}\nWrong: ${question.problem}${aim}`;
    case 'meaning':
      return `Arguments of ${question.tool.name}: ${clipped(question.given)}\nThey contradict the goal: ${findingText(question.finding)}${aim}`;
  }
}

const clipped = (value: Json): string => JSON.stringify(value).slice(0, SAID_MAX);

const mentioned = (tools: readonly ParseTool[], text: string): ParseTool[] => {
  const named = tools.filter(({ name }) => text.includes(name));
  return (named.length > 0 ? named : tools).slice(0, TOOLS_MAX);
};

export interface Answered {
  readonly mended: Mended;
  /** What the answer teaches. */
  readonly lessons: readonly Lesson[];
}

/** The reply with the model's answer in it; undefined when the answer is none that may be used. */
export function useAnswer(
  mended: Mended,
  question: Question,
  answer: string,
  tools: readonly ParseTool[],
  goal: Goal | undefined,
): Answered | undefined {
  const asked = question.about === 'text' ? mentioned(tools, question.said) : [question.tool];
  const [call, more] = parseReply({ text: answer, finishReason: 'stop', tools: asked }).calls;
  const tool = asked.find(({ name }) => name === call?.name);
  if (call === undefined || more !== undefined || tool === undefined) return undefined;
  const fit = fitArguments(call.arguments, tool.parameters, false);
  if (!fit.ok || !isGrounded(fit.arguments, tool, question, goal)) return undefined;
  const made = { name: tool.name, arguments: fit.arguments };
  switch (question.about) {
    case 'text': {
      const lesson = lessonFromText(tool, question.said, fit.arguments);
      return { mended: withCall(mended, guessed(made)), lessons: lesson === undefined ? [] : [lesson] };
    }
    case 'arguments': {
      const { id } = question.rejected;
      const rejected = mended.rejected.filter((entry) => entry !== question.rejected);
      const repaired = withCall({ ...mended, rejected }, guessed({ ...made, ...(id === undefined ? {} : { id }) }));
      return { mended: repaired, lessons: lessonsFromArguments(tool, question.given, fit.arguments) };
    }
    case 'meaning': {
      const lesson = lessonFromPeriod(tool, question.finding, question.given, fit.arguments);
      const calls = mended.calls.map((before, index) =>
        index === question.call ? reworded(before, fit.arguments) : before,
      );
      return { mended: { ...mended, calls, question: undefined }, lessons: lesson === undefined ? [] : [lesson] };
    }
  }
}

const guess = 'a guess by the small model';

const guessed = (call: { name: string; arguments: JsonObject; id?: string }): MendedCall => ({
  ...call,
  confidence: guessConfidence,
  repairs: [guess],
  rules: [],
  warnings: [],
  contradicts: false,
  guess: true,
});

const reworded = (call: MendedCall, args: JsonObject): MendedCall => ({
  ...call,
  arguments: args,
  confidence: Math.min(call.confidence, guessConfidence),
  repairs: [...call.repairs, guess],
  warnings: [],
  contradicts: false,
  guess: true,
});

const withCall = (mended: Mended, call: MendedCall): Mended => ({
  ...mended,
  calls: [...mended.calls, call],
  question: undefined,
  unparsed: false,
});

/** Every value stands in what the first model wrote or in the goal; choices and booleans may be a word for one there. */
function isGrounded(args: JsonObject, tool: ParseTool, question: Question, goal: Goal | undefined): boolean {
  const source = question.about === 'text' ? question.said : JSON.stringify(question.given);
  const days = goal?.setting.periods.flatMap(({ start, end }) => [start, end]) ?? [];
  const text = [source, goal?.text ?? '', ...days].join('\n').toLowerCase();
  const known = properties(isObject(tool.parameters) ? tool.parameters : {});
  const stands = (value: Json, schema: unknown): boolean => {
    if (Array.isArray(value))
      return (value as Json[]).every((item) => stands(item, isObject(schema) ? schema.items : undefined));
    if (isObject(value)) return Object.values(value).every((item) => stands(item, undefined));
    if (typeof value === 'boolean' || value === null) return true;
    if (isObject(schema) && list(schema.enum).includes(value)) return true;
    const parts = String(value)
      .toLowerCase()
      .split(/\/|\.\.|至|,| to /)
      .map((part) => part.trim());
    return parts.every((part) => text.includes(part) || text.includes(JSON.stringify(part).slice(1, -1)));
  };
  return Object.entries(args).every(([name, value]) => stands(value, resolve(known[name], {})));
}
