/** Lines of web server logs: common and combined format, with or without a response time at the end. */
export const logColumns = [
  'host',
  'user',
  'time',
  'date',
  'hour',
  'method',
  'path',
  'query',
  'protocol',
  'status',
  'bytes',
  'referer',
  'agent',
  'response_time',
] as const;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The cells of a line in the order of `logColumns`; undefined when it is no such line. */
export function readLogLine(line: string): string[] | undefined {
  const open = line.indexOf(' [');
  const close = line.indexOf('] "', open);
  if (open === -1 || close === -1) return undefined;
  const who = line.slice(0, open).split(' ');
  const when = timeOf(line.slice(open + 2, close));
  const request = quoted(line, close + 2);
  if (who.length < 3 || when === undefined || request === undefined) return undefined;
  const [status = '', bytes = '', ...rest] = line.slice(request.end).trimStart().split(' ', 2);
  if (!/^\d{3}$/.test(status) || !/^(?:\d+|-)$/.test(bytes) || rest.length > 0) return undefined;
  const tail = line
    .slice(request.end)
    .trimStart()
    .slice(status.length + 1 + bytes.length);
  const [method = '', target = '', protocol = ''] = request.text.split(' ');
  const cut = target.indexOf('?');
  const { referer, agent, time } = readTail(tail);
  return [
    who[0] ?? '',
    who.slice(2).join(' '),
    when.time,
    when.date,
    when.hour,
    method,
    cut === -1 ? target : target.slice(0, cut),
    cut === -1 ? '' : target.slice(cut + 1),
    protocol,
    status,
    bytes,
    referer,
    agent,
    time,
  ];
}

/** `29/Nov/2026:10:22:03 +0800` as ISO. */
function timeOf(text: string): { time: string; date: string; hour: string } | undefined {
  const match = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2})(?: ([+-]\d{2})(\d{2}))?$/.exec(text);
  const month = months.indexOf(match?.[2] ?? '') + 1;
  if (match === null || month === 0) return undefined;
  const date = `${match[3]}-${String(month).padStart(2, '0')}-${match[1]}`;
  const zone = match[7] === undefined ? '' : `${match[7]}:${match[8]}`;
  return { date, hour: match[4] ?? '', time: `${date}T${match[4]}:${match[5]}:${match[6]}${zone}` };
}

/** A quoted text from the quote at `from`; `\"` does not end it. */
function quoted(line: string, from: number): { text: string; end: number } | undefined {
  if (line.charAt(from) !== '"') return undefined;
  for (let end = line.indexOf('"', from + 1); end !== -1; end = line.indexOf('"', end + 1)) {
    if (line.charAt(end - 1) !== '\\') return { text: line.slice(from + 1, end), end: end + 1 };
  }
  return undefined;
}

/** What follows the bytes: quoted referer and agent, then perhaps a number of seconds, bare, quoted or as `rt=0.1`. */
function readTail(tail: string): { referer: string; agent: string; time: string } {
  let at = 1;
  const referer = quoted(tail, at);
  if (referer !== undefined) at = referer.end + 1;
  const agent = referer === undefined ? undefined : quoted(tail, at);
  if (agent !== undefined) at = agent.end + 1;
  const more = agent === undefined && referer !== undefined ? [referer.text] : tail.slice(at, at + 400).split(/[ \t]+/);
  const number = more.map((word) => word.replace(/^(?:[A-Za-z_]+[=:])?"?/, '').replace(/(?:ms|s)?"?$/, ''));
  return {
    referer: agent === undefined ? '' : (referer?.text ?? ''),
    agent: agent?.text ?? '',
    time: number.find((word) => /^\d+(?:\.\d+)?$/.test(word)) ?? '',
  };
}
