/** The model port of a simulated process: answers, and fails, by the seed. Every call and its bill are written down outside. */
import type { AssistantMessage } from '../../../src/domain/chat.js';
import type { CallUsage } from '../../../src/domain/decision.js';
import { type FailureKind, failure } from '../../../src/domain/failure.js';
import type { CallOptions, Model, ModelOutcome, ModelRequest } from '../../../src/llm/model.js';
import type { History } from '../history.js';
import type { SimProcess } from '../kernel/process.js';
import type { Brain, Said } from './brain.js';

/** How the model behaves, as shares of calls. */
export interface ModelMood {
  rateLimited: number;
  /** 500. */
  failed: number;
  /** The reply breaks off and is billed. */
  interrupted: number;
  unreachable: number;
  /** No answer for minutes, then a cut. */
  hang: number;
}

export const soundModel: ModelMood = { rateLimited: 0, failed: 0, interrupted: 0, unreachable: 0, hang: 0 };

const kinds: Record<keyof ModelMood, FailureKind> = {
  rateLimited: 'model_rate_limited',
  failed: 'model_failed',
  interrupted: 'model_interrupted',
  unreachable: 'model_unreachable',
  hang: 'model_interrupted',
};

const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
const costUsd = (input: number, output: number): number => (input + 3 * output) / 1_000_000;
const most = 400;

export function modelIn(process: SimProcess, history: History, brain: Brain, mood: ModelMood): Model {
  return {
    name: 'simulated',
    windowTokens: 20_000,
    maxOutputTokens: most,
    priceKnown: true,
    overheadTokens: 3,
    call: (request, options) => new Call(process, history, request, options).run(brain, mood),
    countText: tokensOf,
    countMessage: tokensOf,
    countTools: tokensOf,
    costUsd,
  };
}

/** One call, from outside. */
class Call {
  private readonly agent: string;
  private readonly task: string;
  private readonly input: number;
  private over = false;

  constructor(
    private readonly process: SimProcess,
    private readonly history: History,
    private readonly request: ModelRequest,
    private readonly options: CallOptions,
  ) {
    this.agent = request.agentId ?? '';
    this.task = this.agent.replace(/(-\d+)+$/, '');
    this.input = request.promptTokens ?? 0;
  }

  run(brain: Brain, mood: ModelMood): Promise<ModelOutcome> {
    const { agent, task, input, process, history, request, options } = this;
    const { world } = process;
    const tools = request.tools.map(({ name }) => name);
    const { goal, isPlain } = goalIn(request);
    const max = request.maxOutputTokens;
    history.add('model.asked', { task, agent, process: process.name, job: goal, input, max });
    const fault = chosen(world.random(), mood);
    if (fault !== undefined) history.add('fault', { fault: `model ${fault}`, process: process.name });
    const tookMs = fault === 'hang' ? world.between(20_000, 40_000) : world.between(20, 1_500);
    return new Promise((resolve) => {
      const end = (outcome: ModelOutcome): void => {
        if (this.over) return;
        this.over = true;
        options.signal.removeEventListener('abort', cancel);
        process.enter(() => resolve(outcome));
      };
      const cancel = (): void => end(this.fails('cancelled', this.bill('cancelled', world.between(0, max))));
      if (options.signal.aborted) return cancel();
      options.signal.addEventListener('abort', cancel);
      // The provider goes on, and bills, whatever becomes of the process that asked.
      world.after(tookMs, () => {
        if (this.over) return;
        if (fault !== undefined) return end(this.breaks(fault));
        end(this.answers(brain.say({ agentId: agent, plans: tools.includes('delegate_task'), isPlain, tools })));
      });
    });
  }

  private breaks(fault: keyof ModelMood): ModelOutcome {
    const isBilled = fault === 'interrupted' || fault === 'hang';
    const output = isBilled ? this.process.world.between(0, this.request.maxOutputTokens) : undefined;
    return this.fails(kinds[fault], this.bill(fault, output));
  }

  private answers(said: Said): ModelOutcome {
    const { world } = this.process;
    const calls = said.calls.map((call, index) => ({
      id: `call_${index + 1}`,
      type: 'function' as const,
      function: call,
    }));
    const native = world.chance(0.8);
    const content = native ? said.content : [said.content, ...said.calls.map(markup)].filter(Boolean).join('\n');
    const message: AssistantMessage = {
      role: 'assistant',
      content,
      ...(native && calls.length > 0 && { tool_calls: calls }),
    };
    const wanted = tokensOf(message);
    const isCut = wanted > this.request.maxOutputTokens;
    const usage = this.bill(isCut ? 'cut' : said.kind, isCut ? this.request.maxOutputTokens : wanted, said.subtasks);
    return {
      ok: true,
      message: isCut ? { role: 'assistant', content: said.content.slice(0, 10) } : message,
      finishReason: isCut ? 'length' : calls.length > 0 && native ? 'tool_calls' : 'stop',
      usage,
      model: 'simulated',
      provider: 'simulated',
      attempts: 1,
      fallbacks: 0,
      ms: 1,
    };
  }

  private fails(kind: FailureKind, usage: CallUsage): ModelOutcome {
    return { ok: false, failure: failure(kind, `the simulated model: ${kind}`), usage, attempts: 1, ms: 1 };
  }

  /** @param output tokens; undefined: nothing was billed */
  private bill(reply: string, output: number | undefined, subtasks?: Said['subtasks']): CallUsage {
    const { agent, history, input, process, task } = this;
    const billed = output === undefined ? 0 : input;
    const cost = costUsd(billed, output ?? 0);
    const about = { task, agent, process: process.name, reply, input: billed, output: output ?? 0, cost };
    history.add('model.answered', subtasks?.length ? { ...about, subtasks } : about);
    return {
      inputTokens: billed,
      outputTokens: output ?? 0,
      costUsd: cost,
      countedInputTokens: billed,
      estimated: false,
    };
  }
}

/** Jobs are named in their goals. */
function goalIn({ messages }: ModelRequest): { goal: string | undefined; isPlain: boolean } {
  const text = String(messages[1]?.content ?? '');
  return { goal: /#(job\d+|task\d+)/.exec(text)?.[1], isPlain: text.includes('plainly') };
}

const markup = (call: { name: string; arguments: string }): string =>
  `<tool_call>{"name": "${call.name}", "arguments": ${call.arguments}}</tool_call>`;

function chosen(share: number, mood: ModelMood): keyof ModelMood | undefined {
  let sum = 0;
  for (const [name, part] of Object.entries(mood) as [keyof ModelMood, number][]) {
    sum += part;
    if (share < sum) return name;
  }
  return undefined;
}
