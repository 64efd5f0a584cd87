/**
 * Which wakes a worker asks for when it has places free. Tenants share the places by weight: start-time fair queueing
 * (Goyal, Vin, Cheng 1996) with one wake as the unit, so that one who was quiet is next, whatever others have waiting; and a few places are not given to tenants that have
 * their share already, so that whoever comes finds one.
 * Among the lanes of a tenant the more urgent comes first, but one that waits is not passed over for ever.
 */

export interface Demand {
  /** By which the lane is known from one time to the next. */
  readonly key: string;
  readonly tenant: string;
  /** Among the lanes of a tenant lower ones come first. */
  readonly rank: number;
  /** Asked for and not come yet. */
  readonly underway: number;
  /** Known to lie on the server, 0 when none is known. */
  readonly backlog: number;
  /** What to ask for, at most, when none is known. */
  readonly idleAsk: number;
  /** Its tenant had work not long ago. */
  readonly active: boolean;
}

export interface Ask {
  readonly index: number;
  readonly count: number;
  /** Asked for because it is there, not in case something comes. */
  readonly hurried: boolean;
}

export interface Sharing {
  /**
   * A lane with a known backlog is asked for as many as its share of the free places; what one cannot use others get. A
   * lane without one keeps a small request open, which is not counted: when wakes come for it although all places are
   * taken, they are given back at once.
   */
  ask(free: number, demands: readonly Demand[]): Ask[];
  /** A wake of the tenant took a place. */
  took(tenant: string): void;
  /** And left it. */
  left(tenant: string): void;
}

/** A lane that waits is served after so many others of its tenant were preferred to it. */
const patience = 8;
const mostRemembered = 1_024;
/** One place of so many is kept for tenants that are below their share. */
const keptOf = 8;

/** @param weightOf of a tenant: above 0 */
export function createSharing(weightOf: (tenant: string) => number): Sharing {
  /** When, in virtual time, a tenant has had its share; absent: in the past. */
  const served = new Map<string, number>();
  const passedOver = new Map<string, number>();
  const held = new Map<string, number>();
  /** Virtual time: the earliest start of those who wait. Wakes come in any order, so it is no matter of what came last. */
  let now = 0;
  let latest = 0;
  const startOf = (tenant: string): number => Math.max(now, served.get(tenant) ?? 0);

  const distribute = (spare: number, waiting: readonly Waiting[], shares: ReadonlyMap<string, number>): void => {
    const places = [...shares.values()].reduce((sum, share) => sum + share, 0);
    const kept = shares.size > 1 ? Math.floor(places / keptOf) : 0;
    const has = new Map(held);
    const starts = new Map<string, number>();
    for (const { tenant, underway } of waiting) {
      starts.set(tenant, (starts.get(tenant) ?? startOf(tenant)) + underway / weightOf(tenant));
      has.set(tenant, (has.get(tenant) ?? 0) + underway);
    }
    const isBelow = ({ tenant }: Waiting): boolean => (has.get(tenant) ?? 0) < (shares.get(tenant) ?? 0);
    const start = ({ tenant }: Waiting): number => starts.get(tenant) ?? now;
    for (let left = spare; left > 0; left -= 1) {
      const open = waiting.filter((lane) => lane.wanted > 0 && (left > kept || isBelow(lane)));
      const [first] = open;
      if (first === undefined) return;
      const { tenant } = open.reduce((best, lane) => (start(lane) < start(best) ? lane : best), first);
      const lane = mostUrgent(open.filter((one) => one.tenant === tenant));
      lane.wanted -= 1;
      lane.given += 1;
      starts.set(tenant, start(lane) + 1 / weightOf(tenant));
      has.set(tenant, (has.get(tenant) ?? 0) + 1);
    }
  };

  /** Of the lanes of one tenant, at least one. Remembers which were passed over. */
  const mostUrgent = (lanes: readonly Waiting[]): Waiting => {
    const waits = ({ key }: Waiting): number => passedOver.get(key) ?? 0;
    const before = (a: Waiting, b: Waiting): boolean =>
      waits(a) >= patience || waits(b) >= patience ? waits(a) > waits(b) : a.rank < b.rank;
    const chosen = lanes.reduce((best, lane) => (before(lane, best) ? lane : best));
    for (const lane of lanes) passedOver.set(lane.key, lane === chosen ? 0 : waits(lane) + 1);
    return chosen;
  };

  return {
    ask(free, demands) {
      if (free <= 0) return [];
      const idle: Ask[] = [];
      const waiting: Waiting[] = [];
      for (const [index, demand] of demands.entries()) {
        const { backlog, idleAsk, key, underway } = demand;
        if (backlog > 0) waiting.push({ ...demand, index, wanted: Math.max(0, backlog - underway), given: 0 });
        else passedOver.delete(key);
        if (backlog === 0 && underway === 0)
          idle.push({ index, count: Math.max(1, Math.min(idleAsk, Math.floor(free / 4))), hurried: false });
      }
      now = waiting.length === 0 ? latest : Math.min(...waiting.map(({ tenant }) => startOf(tenant)));
      const taken = [...held.values()].reduce((sum, count) => sum + count, 0);
      const spare = free - waiting.reduce((sum, { underway }) => sum + underway, 0);
      distribute(spare, waiting, sharesOf(free + taken, demands, weightOf));
      const asked = waiting.filter(({ given }) => given > 0);
      return [...idle, ...asked.map(({ index, given }) => ({ index, count: given, hurried: true }))];
    },
    took(tenant) {
      const has = startOf(tenant) + 1 / weightOf(tenant);
      served.set(tenant, has);
      latest = Math.max(latest, has);
      held.set(tenant, (held.get(tenant) ?? 0) + 1);
      if (served.size > mostRemembered) for (const [one, at] of served) if (at <= now) served.delete(one);
    },
    left(tenant) {
      const rest = (held.get(tenant) ?? 0) - 1;
      if (rest > 0) held.set(tenant, rest);
      else held.delete(tenant);
    },
  };
}

interface Waiting extends Demand {
  readonly index: number;
  wanted: number;
  given: number;
}

/** Places of each tenant that had work of late, if all had more than they could get. */
function sharesOf(
  places: number,
  demands: readonly Demand[],
  weightOf: (tenant: string) => number,
): ReadonlyMap<string, number> {
  const tenants = [...new Set(demands.filter(({ active }) => active).map(({ tenant }) => tenant))];
  const sum = tenants.reduce((total, tenant) => total + weightOf(tenant), 0);
  return new Map(tenants.map((tenant) => [tenant, (places * weightOf(tenant)) / sum]));
}
