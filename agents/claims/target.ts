/** Names in a text that can be looked for elsewhere: paths, addresses on the web, mail addresses, references. */

export interface Named {
  readonly kind: 'file' | 'link' | 'mail' | 'reference';
  readonly text: string;
  readonly at: number;
}

const extensions = new Set(
  'txt md markdown rst csv tsv json jsonl ndjson yaml yml toml ini cfg conf env xml html htm css scss js mjs cjs ts tsx jsx py rb go rs java kt c h cpp hpp cs php sh bash zsh ps1 sql db sqlite parquet avro log out err pdf doc docx xls xlsx ppt pptx odt ods rtf tex bib png jpg jpeg gif svg webp bmp tif tiff ico mp3 mp4 wav avi mov mkv zip tar gz tgz bz2 xz 7z rar jar war whl deb rpm exe dll so bin iso img lock patch diff bak tmp ipynb r jl lua pl swift dart vue proto tf pem key crt ics eml msg plist'.split(
    ' ',
  ),
);

const linkPattern = /\b(?:https?|ftp|s3|gs|wss?):\/\/[^\s"'<>()（）\]，。；、]{1,500}/gi;
const mailPattern = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
const pathPattern = /(?:~|\.{1,2})?\/?[\p{L}\p{N}_@%+.-]{1,120}(?:\/[\p{L}\p{N}_@%+.-]{1,120}){0,20}/gu;
const ipPattern = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g;
const referencePattern =
  /(?:\b(?:reference|ref|ticket|issue|order|invoice|confirmation|tracking|booking|transaction|message|commit|request|job|case|receipt|refund|id|no\.?|number|code)\b|单号|订单号?|编号|流水号|工单号?|采购单号?|参考号|确认码|凭证号?|[\u4e00-\u9fff]{2}号)[\s:：#是为]{0,3}(?:(?:id|number|no\.?|is|was|code)[\s:：#]{0,2}){0,2}([A-Za-z]{1,8}[-_#]?\d[\w-]{1,40}|[a-f\d]{7,40}(?![\w]))/gi;

/** Made of letters and digits, so that nobody can guess it: `BUG-77`, `PO6377`, `NL-0609-C`, `10.1000/sf.91`, `!482`. */
const opaquePattern =
  /(?<![\w./#-])(?:(?=[A-Z\d-]*[A-Z])(?=(?:[A-Za-z_#-]*\d){2})[A-Z]{1,6}[-_#]?[A-Z\d]+(?:[-_][A-Za-z\d]+){0,4}|\d[\d.]{2,12}\/[\w.-]*[a-z][\w.-]*\d[\w-]*|![1-9]\d{1,6}|#[1-9]\d{2,7})(?![\w/])/g;
/** Names of norms, formats, models and quantiles. */
const standard =
  /^(?:UTF|ISO|RFC|SHA|MD|HTTPS?|IPV|TLS|SSL|GPT|COVID|MP|[HPQSABXVTGD]|FY|EC|CSS|HTML|ES|PM|AES|RSA|CO|WW|Q[1-4]|H[12]|FY|CVE|EN|DIN|IEEE|IEC|ANSI|EPSG|GMT|UTC|A[0-5])[-_]?\d{1,4}(?:[-_:]\d{1,4})?$|^(?:19|20)\d\d-?[QHW]\d|^[QHW]\d[-_]?(?:19|20)?\d\d$/i;

/** `2.14.0`, `v1.0.3-rc.1`; `12.05.2026` is a date. */
const versionPattern = /(?<![\w./-])v?\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[a-z][\w.]*)?(?![\w/-]|\.\d)/gi;
const dayFirst = /^\d{1,2}\.\d{1,2}\.\d{4}$|^\d{4}\./;

/** Codes of one letter or so, which mean something only where there are more of their kind: `S27`, `A4`. */
export const shortCodes = (text: string): string[] =>
  text.match(/(?<![\w./-])(?:[A-Z]{1,3}-?|[a-z]{2,10}-)\d{1,3}(?![\w/-]|\.\d)/g) ?? [];

/** @param text one sentence or so */
export function namesIn(text: string): Named[] {
  const found: Named[] = [];
  const free = (at: number, end: number): boolean =>
    !found.some((one) => one.at < end && at < one.at + one.text.length);
  const take = (kind: Named['kind'], raw: string, at: number): void => {
    if (raw !== '' && free(at, at + raw.length)) found.push({ kind, text: raw, at });
  };
  if (text.includes('://'))
    for (const match of text.matchAll(linkPattern)) take('link', match[0].replace(/[.,;:!?*_`]+$/, ''), match.index);
  if (text.includes('@'))
    for (const match of text.matchAll(mailPattern)) take('mail', match[0].replace(/\.$/, ''), match.index);
  for (const match of text.matchAll(ipPattern)) take('reference', match[0], match.index);
  for (const match of text.matchAll(pathPattern)) {
    for (const path of split(match[0])) if (isPath(path.text)) take('file', path.text, match.index + path.at);
  }
  for (const match of text.matchAll(referencePattern)) {
    const [whole, id = ''] = match;
    if (/\d/.test(id) && !/^(?:20|19)\d\d/.test(id)) take('reference', id, match.index + whole.length - id.length);
  }
  for (const match of text.matchAll(versionPattern))
    if (!dayFirst.test(match[0])) take('reference', match[0], match.index);
  for (const match of text.matchAll(opaquePattern))
    if (!standard.test(match[0])) take('reference', match[0], match.index);
  return found;
}

/** Han characters are written up to a Latin path without a space: `写入report.md`. */
function split(text: string): { text: string; at: number }[] {
  const trimmed = text.replace(/[.,%+@-]+$/, '');
  const han = /(?:^|[到在至为见是入成叫了])([\u4e00-\u9fff]+\.[a-z\d]{1,5})$/i.exec(trimmed);
  if (han?.[1] !== undefined) return [{ text: han[1], at: trimmed.length - han[1].length }];
  const latin = /[\x21-\x7e]+(?:[\u4e00-\u9fff]*\/[\x21-\x7e\u4e00-\u9fff]+)*$/.exec(trimmed);
  if (latin === null || latin.index === 0) return [{ text: trimmed, at: 0 }];
  return /\//.test(trimmed.slice(0, latin.index)) ? [{ text: trimmed, at: 0 }] : [{ text: latin[0], at: latin.index }];
}

function isPath(text: string): boolean {
  const name = text.split('/').at(-1) ?? '';
  const extension = /\.([A-Za-z\d]{1,8})$/.exec(name)?.[1]?.toLowerCase();
  const isFiled = text.includes('/') && /^[a-z][a-z\d]{1,4}$/.test(extension ?? '') && /^[\w./-]+$/.test(text);
  if (extension === undefined || (!extensions.has(extension) && !isFiled))
    return /^(?:\/|~\/|\.{1,2}\/)[\w.-]+\/[\w./-]+$/.test(text);
  if (/^\d+(?:\.\d+)*$/.test(text) || (text.startsWith('.') && !text.includes('/'))) return false;
  // `Node.js`, `e.g`: names of things that are no files.
  return (
    !/^(?:node|vue|next|nuxt|react|three|d3|express|discord|socket|asp)\.(?:js|net)$/i.test(text) &&
    !text.includes('..')
  );
}

/** How paths are compared: without what only says "here". */
export const plainPath = (path: string): string => path.toLowerCase().replace(/^(?:\.\/)+/, '');

/** Whether a text in lower case names the path, whole or by its last part. */
export function mentions(text: string, path: string): boolean {
  const plain = plainPath(path);
  if (text.includes(plain)) return true;
  if (!plain.includes('.')) return false;
  const name = plain.split('/').at(-1) ?? plain;
  return plain === name ? text.includes(name) : endsAlike(text, plain, name);
}

/** `/data/out/a.md` and `out/a.md` are one file as far as anybody can tell; `out/a.md` and `in/a.md` are not. */
function endsAlike(text: string, plain: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const start = /[^\s"'`(\\,;:]*$/.exec(text.slice(Math.max(0, at - 200), at))?.[0] ?? '';
    const whole = plainPath(start + name);
    if (plain.endsWith(`/${whole}`) || whole.endsWith(`/${plain}`) || whole === plain) return true;
  }
  return false;
}
