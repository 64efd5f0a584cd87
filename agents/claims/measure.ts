/** Units of measure, so that 84 ms can be told as 0.084 s. */

const families: readonly Readonly<Record<string, number>>[] = [
  {
    ns: 1e-9,
    us: 1e-6,
    µs: 1e-6,
    ms: 1e-3,
    msec: 1e-3,
    millisecond: 1e-3,
    milliseconds: 1e-3,
    毫秒: 1e-3,
    s: 1,
    sec: 1,
    secs: 1,
    second: 1,
    seconds: 1,
    秒: 1,
    秒钟: 1,
    min: 60,
    mins: 60,
    minute: 60,
    minutes: 60,
    分钟: 60,
    分: 60,
    h: 3_600,
    hr: 3_600,
    hrs: 3_600,
    hour: 3_600,
    hours: 3_600,
    小时: 3_600,
    个小时: 3_600,
    d: 86_400,
    day: 86_400,
    days: 86_400,
    天: 86_400,
    week: 604_800,
    weeks: 604_800,
    周: 604_800,
  },
  {
    byte: 1,
    bytes: 1,
    字节: 1,
    b: 1,
    kb: 1e3,
    kib: 1_024,
    mb: 1e6,
    mib: 1_048_576,
    gb: 1e9,
    gib: 1_073_741_824,
    tb: 1e12,
    tib: 1_099_511_627_776,
  },
  { kb: 1_024, byte: 1, b: 1, bytes: 1, mb: 1_048_576, gb: 1_073_741_824, tb: 1_099_511_627_776 },
  {
    mm: 1e-3,
    cm: 1e-2,
    m: 1,
    km: 1e3,
    毫米: 1e-3,
    厘米: 1e-2,
    米: 1,
    公里: 1e3,
    千米: 1e3,
    mi: 1_609.344,
    mile: 1_609.344,
    miles: 1_609.344,
    ft: 0.3048,
    feet: 0.3048,
    inch: 0.0254,
    inches: 0.0254,
    英里: 1_609.344,
  },
  {
    mg: 1e-3,
    g: 1,
    kg: 1e3,
    t: 1e6,
    克: 1,
    千克: 1e3,
    公斤: 1e3,
    吨: 1e6,
    lb: 453.59237,
    lbs: 453.59237,
    oz: 28.349523,
  },
  { ml: 1e-3, l: 1, liter: 1, liters: 1, litre: 1, litres: 1, 毫升: 1e-3, 升: 1 },
  { w: 1, kw: 1e3, mw: 1e6, kwh: 1, mwh: 1e3, wh: 1e-3, gwh: 1e6, twh: 1e9, gw: 1e9 },
  { cents: 0.01, cent: 0.01, usd: 1, dollars: 1, dollar: 1, eur: 1, euros: 1, euro: 1, 元: 1, 分: 0.01, 角: 0.1 },
];

/** What a figure in `unit` may have been before: how many of `unit` one of it is. Empty for what is no measure. */
export function factorsInto(unit: string): readonly number[] {
  const factors = families.flatMap((family) => {
    const own = family[unit];
    return own === undefined ? [] : Object.values(family).map((other) => other / own);
  });
  return [...new Set(factors)].filter((factor) => factor !== 1);
}

const temperature: Readonly<Record<string, (value: number) => number>> = {
  '°c': (c) => c * 1.8 + 32,
  '℃': (c) => c * 1.8 + 32,
  c: (c) => c * 1.8 + 32,
  '°f': (f) => (f - 32) / 1.8,
  '℉': (f) => (f - 32) / 1.8,
  f: (f) => (f - 32) / 1.8,
};

/** The same temperature on the other scale. */
export const otherScale = (value: number, unit: string): number | undefined => temperature[unit]?.(value);

/** Whether two units measure different things: kilometres and litres. Not when one of them may measure either. */
export const differ = (one: string, other: string): boolean => {
  const [first, second] = [familiesWith(one), familiesWith(other)];
  return first.length > 0 && second.length > 0 && !first.some((family) => second.includes(family));
};

const familiesWith = (unit: string): number[] =>
  families.flatMap((family, at) => (Object.hasOwn(family, unit) ? [at === bytesOf1024 ? at - 1 : at] : []));
const bytesOf1024 = 2;
