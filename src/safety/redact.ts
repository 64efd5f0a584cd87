/** Puts placeholders where a text holds personal data or secrets: `[email]`, `[phone]`, `[api-key]`, … In linear time. */
import type { Json, JsonObject } from '../domain/json.js';
import { findAddresses } from './addresses.js';
import type { Finder, Finding } from './finding.js';
import { findIbans } from './iban.js';
import {
  findAssignments,
  findBarePasswords,
  findJointKeys,
  findKeys,
  findPrivateKeys,
  findSchemes,
  findUserInfo,
} from './keys.js';
import { findMail } from './mail.js';
import { findNationalIds } from './national-id.js';
import { findNumbers } from './numbers.js';
import { findSecrets } from './secrets.js';

export interface RedactorOptions {
  /** Network addresses count as personal: `[ip]`. Default false. */
  readonly addresses?: boolean;
  /** Further things to find. Must take time linear in the text. */
  readonly finders?: readonly Finder[];
  /** Values that are known to be secret (keys of this process); found as they are, in base64 and URL-encoded. */
  readonly secrets?: readonly string[];
  /** Told of everything that is taken out, for the audit log. */
  readonly onFound?: (found: Found) => void;
}

export interface Found {
  readonly kind: string;
  readonly value: string;
}

export interface Redaction {
  readonly text: string;
  /** What was taken out, in order, for the audit log. */
  readonly found: readonly Found[];
}

export interface Redactor {
  text(text: string): string;
  /** Texts and keys of a value, and numbers and texts under telling keys (`phone`, `password`). */
  json(value: Json): Json;
  /** The redacted text and what was taken out. */
  scan(text: string): Redaction;
  /** What there is to take out, in order, without overlaps. */
  find(text: string): Finding[];
}

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const secrets = findSecrets(options.secrets ?? []);
  const finders: readonly Finder[] = [
    secrets,
    findPrivateKeys,
    findKeys,
    findJointKeys,
    findUserInfo,
    findSchemes,
    findAssignments,
    findBarePasswords,
    findMail,
    findIbans,
    findNationalIds,
    findNumbers,
    ...(options.addresses ? [findAddresses] : []),
    ...(options.finders ?? []),
  ];
  const find = (text: string): Finding[] => disjoint(finders, plain(text));
  const scan = (text: string): Redaction => {
    const open = unescaped(text);
    const findings = find(open);
    if (findings.length === 0) return { text, found: [] };
    return {
      text: replaced(open, findings),
      found: findings.map((one) => ({ kind: one.kind, value: open.slice(one.start, one.end) })),
    };
  };
  const { addresses = false, finders: more, onFound = () => undefined } = options;
  const text = (given: string): string => {
    const worthALook =
      mayHold(given) || addresses || more !== undefined || secrets(given)[Symbol.iterator]().next().done === false;
    if (!worthALook) return given;
    const scanned = scan(given);
    scanned.found.forEach(onFound);
    return scanned.text;
  };
  return { text, scan, find, json: (value) => redactedJson(value, { text, onFound }) };
}

/** Most texts hold nothing: few digits, no sign, no long word, no word that a finder begins with. */
const mayHold = (text: string): boolean =>
  text.length > 5 &&
  (/[@＠]|\\u00|%40|-----|[:=：]|bearer|basic|pass|密|口令|令牌| is |[A-Za-z0-9_.-]{16}/i.test(text) ||
    (text.match(/[0-9０-９]/g)?.length ?? 0) >= fewestDigits);
/** Of a British insurance number; a phone number has seven. */
const fewestDigits = 6;

/** Full-width forms as the plain characters they mean; the length stays the same. */
function plain(text: string): string {
  if (!/[\uff01-\uff5e]/.test(text)) return text;
  return text.replaceAll(/[\uff0b\uff0d\uff10-\uff19\uff20\uff21-\uff3a\uff41-\uff5a]/g, (char) =>
    String.fromCharCode(char.charCodeAt(0) - 0xfee0),
  );
}

/** `\u0031` as JSON within JSON has it: only when that brings something to light is the text shown unescaped. */
const unescaped = (text: string): string =>
  text.includes('\\u00')
    ? text.replaceAll(/\\u00([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** Findings of earlier finders win; of those of one finder the first. */
function disjoint(finders: readonly Finder[], text: string): Finding[] {
  const ranked = finders.flatMap((finder, rank) => [...finder(text)].map((finding) => ({ finding, rank })));
  if (ranked.length < 2) return ranked.map(({ finding }) => finding);
  ranked.sort((a, b) => a.finding.start - b.finding.start || a.rank - b.rank);
  const kept: typeof ranked = [];
  for (const one of ranked) {
    let last = kept.at(-1);
    while (last !== undefined && one.finding.start < last.finding.end && one.rank < last.rank) {
      kept.pop();
      last = kept.at(-1);
    }
    if (last === undefined || one.finding.start >= last.finding.end) kept.push(one);
  }
  return kept.map(({ finding }) => finding);
}

function replaced(text: string, findings: readonly Finding[]): string {
  let out = '';
  let from = 0;
  for (const { kind, start, end } of findings) {
    out += `${text.slice(from, start)}[${kind}]`;
    from = end;
  }
  return out + text.slice(from);
}

const secretKey =
  /^(?:.*[_-])?(?:password|passwd|pwd|passphrase|secret|api[_-]?key|apikey|access[_-]?key|private[_-]?key|client[_-]?secret|(?:access|refresh|auth|id|bearer)[_-]?token|token|authorization|cookie|set-cookie|密码|密钥|令牌)$/i;
const numberKey = /phone|mobile|tel\b|手机|电话|card|身份证|证件|卡号|identity|id_?no/i;
const deepest = 200;

interface Take {
  readonly text: (given: string) => string;
  readonly onFound: (found: Found) => void;
}

function redactedJson(value: Json, take: Take, key = '', depth = 0): Json {
  const { onFound, text } = take;
  if (typeof value === 'string') {
    const isSecret = value.length >= 4 && secretKey.test(key) && !/^\[[a-z-]+\]$/.test(value);
    if (!isSecret) return text(value);
    const kind = /pass|pwd|密码/i.test(key) ? 'password' : 'token';
    onFound({ kind, value });
    return `[${kind}]`;
  }
  if (typeof value === 'number') {
    const digits = numberKey.test(key) && Number.isSafeInteger(value) ? String(value) : '';
    const shown = digits.length >= 7 ? text(`${/card|卡/i.test(key) ? '卡号 ' : '电话 '}${digits}`) : '';
    return shown === '' || shown.endsWith(digits) ? value : (shown.split(' ')[1] ?? value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redactedJson(item, take, key, depth + 1));
  // fromEntries defines properties, so a key named `__proto__` stays data.
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, item]) => [text(name), redactedJson(item, take, name, depth + 1)]),
  );
}
