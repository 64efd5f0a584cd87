/** What the simulated model says: sensible work most of the time, and every kind of nonsense some of the time. */
import type { World } from '../kernel/world.js';

export interface Said {
  /** For the history: what kind of reply this is. */
  readonly kind: 'delegates' | 'calls' | 'asks' | 'finishes' | 'answers' | 'nonsense';
  readonly content: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Subtasks that it hands out, each name used once in a schedule. */
  readonly subtasks: readonly { readonly name: string; readonly after: readonly string[] }[];
}

export interface Listener {
  readonly agentId: string;
  readonly plans: boolean;
  /** It works on a job that must come to a good end. */
  readonly isPlain: boolean;
  /** The agent may say so many tool names. */
  readonly tools: readonly string[];
}

type Style = 'orderly' | 'looping' | 'endless' | 'mumbling' | 'misspelling' | 'deadly';

interface Mind {
  readonly style: Style;
  /** Rounds of work before it finishes. */
  readonly work: number;
  calls: number;
}

export interface BrainOptions {
  /** Share of agents that are not orderly. */
  readonly wildness: number;
  /** Share of agents that kill their host again and again. */
  readonly deadliness: number;
  /** Subtasks that a planner hands out at once, at most. */
  readonly fanOut: number;
}

const nothing = { content: '', calls: [], subtasks: [] } as const;

export class Brain {
  private readonly minds = new Map<string, Mind>();
  private names = 0;
  private things = 0;

  constructor(
    private readonly world: World,
    private readonly options: BrainOptions,
  ) {}

  /** Agents that are at work begin anew, in the same style or another. */
  forget(): void {
    this.minds.clear();
  }

  /** The next words of an agent's model. */
  say(listener: Listener): Said {
    const mind = this.mindOf(listener);
    mind.calls += 1;
    switch (mind.style) {
      case 'looping':
        return this.callsOf([{ name: listener.tools[0] ?? 'look', arguments: '{"n":0}' }]);
      case 'endless':
        return listener.plans ? this.delegate(1) : this.work(1);
      case 'mumbling':
        return this.mumble();
      case 'misspelling':
        return this.callsOf([{ name: `frobnicate_${this.thing()}`, arguments: '{}' }]);
      case 'deadly':
        return this.callsOf([{ name: 'bomb', arguments: `{"n":${this.thing()}}` }]);
      case 'orderly':
        if (listener.isPlain) return mind.calls > mind.work ? this.finish(['done']) : this.work(2);
        return listener.plans ? this.plan(mind) : this.execute(mind);
    }
  }

  private mindOf(listener: Listener): Mind {
    const known = this.minds.get(listener.agentId);
    if (known !== undefined) return known;
    const mind = { style: this.style(listener), work: this.world.between(1, 3), calls: 0 };
    this.minds.set(listener.agentId, mind);
    return mind;
  }

  private style(listener: Listener): Style {
    const { world, options } = this;
    if (listener.isPlain) return 'orderly';
    if (!listener.plans && world.chance(options.deadliness)) return 'deadly';
    if (!world.chance(options.wildness)) return 'orderly';
    return world.pick(['looping', 'endless', 'mumbling', 'misspelling'] as const);
  }

  private plan(mind: Mind): Said {
    if (mind.calls === 1) return this.delegate(this.world.between(1, this.options.fanOut));
    const share = this.world.random();
    if (share < 0.6) return this.finish();
    if (share < 0.75) return this.delegate(1);
    return share < 0.85 ? this.ask() : this.answer();
  }

  private execute(mind: Mind): Said {
    if (mind.calls <= mind.work) return this.world.chance(0.1) ? this.ask() : this.work(this.world.between(1, 3));
    const share = this.world.random();
    if (share < 0.7) return this.finish();
    return share < 0.85 ? this.answer() : this.work(1);
  }

  private work(count: number): Said {
    return this.callsOf(
      Array.from({ length: count }, () => ({
        name: this.world.pick(['compute', 'look', 'note', 'pay', 'pay', 'wipe']),
        arguments: `{"n":${this.thing()}}`,
      })),
    );
  }

  private delegate(count: number): Said {
    const { world } = this;
    const subtasks: { name: string; after: string[] }[] = [];
    const calls: { name: string; arguments: string }[] = [];
    for (let index = 0; index < count; index += 1) {
      this.names += 1;
      const name = `job${this.names}`;
      const after = subtasks.length > 0 && world.chance(0.4) ? [world.pick(subtasks).name] : [];
      const budget = world.chance(0.3) ? { rounds: world.between(1, 4), tool_calls: world.between(0, 5) } : undefined;
      subtasks.push({ name, after });
      const args = { goal: `do #${name}`, name, ...(after.length > 0 ? { depends_on: after } : {}), budget };
      calls.push({ name: 'delegate_task', arguments: JSON.stringify(args) });
    }
    return { ...nothing, kind: 'delegates', calls, subtasks };
  }

  private mumble(): Said {
    return this.world.chance(0.5)
      ? { ...nothing, kind: 'nonsense' }
      : { ...nothing, kind: 'nonsense', content: '<tool_call>{"name": "look", "arguments": {"n": 1' };
  }

  private ask(): Said {
    return { ...nothing, kind: 'asks', calls: [{ name: 'ask_user', arguments: '{"question":"which one?"}' }] };
  }

  private finish(statuses = ['done', 'done', 'done', 'partial', 'failed']): Said {
    const status = this.world.pick(statuses);
    const args = JSON.stringify({ result: `result ${this.thing()}`, summary: 'it is done', status });
    return { ...nothing, kind: 'finishes', calls: [{ name: 'finish', arguments: args }] };
  }

  private answer(): Said {
    return { ...nothing, kind: 'answers', content: `The answer is ${this.thing()}.` };
  }

  private callsOf(calls: Said['calls']): Said {
    return { ...nothing, kind: 'calls', calls };
  }

  private thing(): number {
    this.things += 1;
    return this.things;
  }
}
