/** Keys and tokens by the shapes their issuers gave them, and secrets by the words that introduce them. */
import type { Finding } from './finding.js';

interface Shape {
  readonly prefix: string;
  /** The whole word. Only tested on words that begin with the prefix. */
  readonly pattern: RegExp;
  readonly kind: 'api-key' | 'token';
}

const shape = (prefix: string, pattern: RegExp, kind: Shape['kind'] = 'api-key'): Shape => ({ prefix, pattern, kind });

const shapes: readonly Shape[] = [
  shape('sk-', /^sk-(?=[\w-]*\d)[\w-]{16,}$/),
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'].map((prefix) => shape(prefix, /^\w{20,}$/)),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => shape(prefix, /^gh[pousr]_\w{30,}$/)),
  shape('github_pat_', /^github_pat_\w{30,}$/),
  shape('glpat-', /^glpat-[\w.-]{20,}$/),
  ...['xoxa-', 'xoxb-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'].map((prefix) => shape(prefix, /^x[\w-]{15,}$/, 'token')),
  ...['AKIA', 'ASIA'].map((prefix) => shape(prefix, /^A[KS]IA[0-9A-Z]{16}$/)),
  shape('AIza', /^AIza[\w-]{35}$/),
  shape('ya29.', /^ya29\.[\w-]{20,}$/, 'token'),
  shape('AKID', /^AKID[A-Za-z0-9]{28,40}$/),
  shape('LTAI', /^LTAI[A-Za-z0-9]{12,30}$/),
  shape('hf_', /^hf_[A-Za-z0-9]{30,}$/),
  shape('npm_', /^npm_[A-Za-z0-9]{36}$/),
  shape('gsk_', /^gsk_[A-Za-z0-9]{40,}$/),
  shape('r8_', /^r8_[A-Za-z0-9]{30,}$/),
  shape('dop_v1_', /^dop_v1_[a-f0-9]{64}$/),
  shape('nvapi-', /^nvapi-[\w-]{40,}$/),
  shape('xai-', /^xai-[A-Za-z0-9]{40,}$/),
  shape('pplx-', /^pplx-[A-Za-z0-9]{40,}$/),
  shape('pypi-', /^pypi-[\w-]{40,}$/),
  shape('shpat_', /^shpat_[a-f0-9]{32}$/),
  shape('lin_api_', /^lin_api_[A-Za-z0-9]{30,}$/),
  shape('tvly-', /^tvly-[\w-]{20,}$/),
  shape('SG.', /^SG\.[\w-]{16,}\.[\w-]{16,}$/),
  ...['SU', 'SA', 'SO', 'SC', 'SN', 'SX'].map((prefix) => shape(prefix, /^S[UAOCNX][A-Z2-7]{56}$/)),
  shape('glsa_', /^glsa_\w{32,}$/),
  shape('dckr_pat_', /^dckr_pat_[\w-]{20,}$/),
  ...['sq0atp-', 'sq0csp-'].map((prefix) => shape(prefix, /^sq0\w{3}-[\w-]{20,}$/)),
  shape('EAA', /^EAA[A-Za-z0-9]{40,}$/, 'token'),
  shape('ops_eyJ', /^ops_eyJ[\w-]{60,}$/),
  ...['hvs.', 'hvb.'].map((prefix) => shape(prefix, /^hv[sb]\.[\w-]{20,}$/, 'token')),
  shape('ATATT3', /^ATATT3[\w-]{40,}/),
  shape('figd_', /^figd_[\w-]{30,}$/),
  shape('ntn_', /^ntn_\w{40,}$/),
  shape('secret_', /^secret_[A-Za-z0-9]{40,}$/),
  shape('GOCSPX-', /^GOCSPX-[\w-]{24,}$/),
  shape('dapi', /^dapi[0-9a-f]{32}(?:-\d)?$/),
  shape('PMAK-', /^PMAK-[0-9a-f]{24}-[0-9a-f]{34}$/),
  shape('sbp_', /^sbp_[0-9a-f]{40}$/),
  shape('key-', /^key-[0-9a-f]{32}$/),
  shape('AKLT', /^AKLT[A-Za-z0-9]{40,}$/),
  ...['glrt-', 'gldt-', 'glft-'].map((prefix) => shape(prefix, /^gl[rdf]t-[\w-]{20,}$/, 'token')),
  shape('xoxe', /^xoxe[\w.-]{20,}$/, 'token'),
  shape('eyJ', /^eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*){0,3}$/, 'token'),
];
const byStart: ReadonlyMap<string, readonly Shape[]> = new Map(
  [...new Set(shapes.map(({ prefix }) => prefix.slice(0, 2)))].map((start) => [
    start,
    shapes.filter(({ prefix }) => prefix.startsWith(start)),
  ]),
);

const wordPattern = /[A-Za-z0-9_.-]{16,}/g;

export function* findKeys(text: string): Generator<Finding> {
  for (const match of text.matchAll(wordPattern)) {
    const word = match[0].replace(/[.-]$/, '');
    const found = byStart
      .get(word.slice(0, 2))
      ?.find(({ prefix, pattern }) => word.startsWith(prefix) && pattern.test(word));
    if (found !== undefined) yield { kind: found.kind, start: match.index, end: match.index + word.length };
  }
}

/** Keys that are no single word: bot tokens (number, colon, secret), and 32 hexadecimal digits, a point, a secret. */
const jointPattern = /(?<![\w.:-])(?:\d{8,10}:AA[\w-]{32,36}|[0-9a-f]{32}\.[A-Za-z0-9]{16})(?![\w-])/g;

export function* findJointKeys(text: string): Generator<Finding> {
  for (const match of text.matchAll(jointPattern)) {
    const kind = match[0].includes(':') ? 'token' : 'api-key';
    yield { kind, start: match.index, end: match.index + match[0].length };
  }
}

/** `Bearer …`, `Basic …` in a header or a sentence. */
const schemePattern = /\b(?:bearer|basic)[ \t]{1,4}(?=([A-Za-z0-9._~+/=-]{12,}))/gi;

export function* findSchemes(text: string): Generator<Finding> {
  for (const match of text.matchAll(schemePattern)) {
    const token = match[1] ?? '';
    // "Basic understanding" is prose: a token has digits, capitals within, or padding.
    if (!/[0-9=]|[a-z][A-Z]/.test(token)) continue;
    const start = match.index + match[0].length;
    yield { kind: 'token', start, end: start + token.replace(/\.$/, '').length };
  }
}

const passwordWord = 'passwords?|passwd|pwd|passphrase|密码|口令|密碼';
const keyWord = 'api[_ -]?keys?|secret[_ -]?keys?|access[_ -]?keys?|client[_ -]?secret|secrets?|密钥';
const tokenWord =
  'access[_ -]?tokens?|refresh[_ -]?tokens?|auth[_ -]?tokens?|session[_ -]?id|tokens?|令牌|authorization|cookie';
/** A word, perhaps the end of a longer name, an equals sign or a colon (or 是, is), and the first character of the value. */
const assignmentPattern = new RegExp(
  `(?:(${passwordWord})|(${keyWord})|(${tokenWord}))["']?\\s{0,3}(?:[:=：]|\\bis\\b|是|为)\\s{0,3}(?:["'\`“「]|(?=\\S))`,
  'gi',
);

/** `password=…`, `"api_key": "…"`, `密码是 …`: the value, when it looks like one. */
export function* findAssignments(text: string): Generator<Finding> {
  let from = 0;
  for (const match of text.matchAll(assignmentPattern)) {
    const start = match.index + match[0].length;
    // Within the value of the one before: that value was judged as a whole.
    if (start < from) continue;
    const quoted = /["'`“「]$/.test(match[0]);
    const value = valueAt(text, start, quoted ? quotedStop : match[0].includes('=') ? fieldStop : plainStop);
    from = start + value.length;
    if (!looksSecret(value, quoted, match[1] !== undefined)) continue;
    const kind = match[1] !== undefined ? 'password' : match[2] !== undefined ? 'api-key' : 'token';
    yield { kind, start, end: start + value.length };
  }
}

const longestValue = 4096;
const quotedStop = /["'`”」\n]/;
const plainStop = /[\s"'`,;<>()[\]{}，。；、）\u4e00-\u9fff]/;
/** Behind an equals sign an ampersand begins the next field. */
const fieldStop = new RegExp(plainStop.source.replace(',;', ',;&'));

function valueAt(text: string, start: number, stop: RegExp): string {
  const most = text.slice(start, start + longestValue);
  const end = most.search(stop);
  return end === -1 ? most : most.slice(0, end);
}

/** A value has a digit or a sign in it, or is quoted; a word of prose has not. */
function looksSecret(value: string, quoted: boolean, password: boolean): boolean {
  if (value.length < (password ? 4 : 8) || /^(?:\[|\*{3}|<|\$[{(A-Za-z_]|\{\{|process\.|env\.|os\.)/.test(value))
    return false;
  if (/^[\d.,:]+$/.test(value) && !password) return false;
  return /[0-9!@#$%^&*+=~]/.test(value) || (quoted && !/\s/.test(value) && value.length >= 8);
}

/** `password Winter2025!`, `密码Admin@123`, `密码设成了…`: no sign between, so the value itself must look like one. */
const barePattern =
  /(?:\b(?:password|passwd|passphrase)\s{1,3}(?:to\s{1,2})?|(?:密码|口令|密碼)(?:已?(?:设|改|重置|换)(?:置)?(?:成|为)?了?)?\s{0,3})([!-~]{6,64})/gi;

export function* findBarePasswords(text: string): Generator<Finding> {
  for (const match of text.matchAll(barePattern)) {
    const value = (match[1] ?? '').split(plainStop)[0]?.replace(/[.,:?]+$/, '') ?? '';
    const chinese = /[\u4e00-\u9fff]/.test(match[0].charAt(0));
    const mixed = /\d/.test(value) && /[A-Za-z]/.test(value);
    if (value.length < 6 || !mixed || !(chinese || /[A-Z].*[a-z]|[a-z].*[A-Z]|[!@#$%^&*]/.test(value))) continue;
    const start = match.index + match[0].length - (match[1] ?? '').length;
    yield { kind: 'password', start, end: start + value.length };
  }
}

/** `scheme://user:password@host` */
const userInfoPattern = /:\/\/([^\s/:@"']{0,256}):([^\s/@"']{1,256})@/g;

export function* findUserInfo(text: string): Generator<Finding> {
  for (const match of text.matchAll(userInfoPattern)) {
    const start = match.index + 3 + (match[1]?.length ?? 0) + 1;
    yield { kind: 'password', start, end: start + (match[2]?.length ?? 0) };
  }
}

const pemBegin = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
export const pemEnd = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** A private key; without its end it goes to the end of the text. */
export function* findPrivateKeys(text: string): Generator<Finding> {
  let from = 0;
  for (const match of text.matchAll(pemBegin)) {
    if (match.index < from) continue;
    const ends = new RegExp(pemEnd);
    ends.lastIndex = match.index;
    const end = ends.exec(text);
    from = end === null ? text.length : end.index + end[0].length;
    yield { kind: 'private-key', start: match.index, end: from };
  }
}
