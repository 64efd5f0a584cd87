/** Deeds that a report claims, held against the calls that ran. */
import { type Claim, supported, unsupported } from './claim.js';
import { type Clause, clausesOf } from './clause.js';
import { type Deed, deedsIn } from './deed.js';
import type { Evidence } from './evidence.js';
import type { Family } from './family.js';
import type { Grounds, Reported } from './grounds.js';
import { contentOf } from './known.js';
import { isNovel } from './novel.js';
import { type Passage, wordsOfName } from './passage.js';
import { admits } from './polarity.js';
import { argumentTexts, familiesIn, generalName, type Ran } from './ran.js';
import { mentions, type Named, namesIn } from './target.js';
import { madeByOpening } from './wording-en.js';

/** @param ofTheHead words were all that was asked for: what only reads like a deed is part of them */
export function actionClaims(passages: readonly Passage[], evidence: Evidence, ofTheHead: boolean): Claim[] {
  const judge = judgeOver(evidence);
  return passages.flatMap((passage) => {
    if (typeof passage.value === 'string')
      return clausesOf(passage.value).flatMap((clause) => {
        const deeds = distinct(deedsIn(clause)).filter(
          ({ strength }) => !ofTheHead || strength === 'own' || /已|我/.test(clause.text),
        );
        return deeds.flatMap((deed) => judge(deed, clause, targetsOf(deed, deeds)));
      });
    return passage.value === true
      ? flagDeeds(passage.key).flatMap((deed) => judge(deed, { text: `${passage.key}: true`, sentence: '' }, []))
      : [];
  });
}

/** `refunded: true` says that it was done. */
const flagDeeds = (key: string): Deed[] =>
  deedsIn({ text: key, before: '', isHead: false }).map((deed) => ({ ...deed, strength: 'done', clause: key }));

/** `sent and delivered`: one deed for each family is enough. */
const distinct = (deeds: readonly Deed[]): Deed[] => [
  ...new Map(deeds.map((deed) => [[...deed.families].join(' ') + deed.verb, deed])).values(),
];

type Judge = (deed: Deed, clause: Pick<Clause, 'text' | 'sentence'>, targets: readonly Named[]) => Claim[];

function judgeOver(evidence: Evidence): Judge {
  const { grounds, ran } = evidence;
  const { all, heard, order } = evidence.known;
  const told = [heard, ...ran.map(({ call }) => call.error?.toLowerCase() ?? '')].join('\n');
  const asked = familiesAsked(grounds);
  return (deed, { sentence, text: said }, targets) => {
    if (deed.families.has('look')) return lookClaim(deed, said, targets, evidence);
    if (deed.strength === 'told' && heard.length > mostRetold) return [];
    const kind = deed.families.has('run') || deed.families.has('call') ? 'tool' : 'action';
    if (deed.families.has('call')) return [];
    const fits = ran.filter((one) => fitsDeed(one, deed));
    // A run that ended badly has run.
    const worked = fits.filter((one) => one.worked || (kind === 'tool' && one.call.status === 'ok'));
    const missed = targets.find(
      (target) =>
        !worked.some((one) => aims(one, target)) && !grounds.children.some((child) => childDid(child, deed, target)),
    );
    const byChildren = grounds.children.filter((child) => childDid(child, deed));
    const made = deed.families.has('change') && madeByOpening.exec(said)?.[0].toLowerCase().replace(/s$/, '');
    const isUnheardOf =
      typeof made === 'string' && /^(?:opened|created|raised|filed)$/.test(deed.verb) && !all.includes(made);
    const isElsewhere =
      isUnheardOf || isNovel(said, deed.forms, all, deed.strength === 'told' ? 1 : deed.strength === 'own' ? 2 : 3);
    if ((worked.length > 0 || byChildren.length > 0) && !isElsewhere) {
      if (missed === undefined)
        return [
          supported(kind, deed.verb, said, [
            ...worked.map(({ call }) => call.callId),
            ...byChildren.map(({ callId }) => callId),
          ]),
        ];
      if (missed.kind !== 'file')
        return [unsupported(kind, `${deed.verb} ${missed.text}`, said, `no call that did this names ${missed.text}`)];
      return [];
    }
    if ((deed.strength === 'done' || deed.strength === 'state' || deed.strength === 'told') && isTold(told, deed))
      return [];
    const isAsked = [...deed.families].some((family) => asked.has(family));
    if (deed.strength === 'state' && !isAsked) return [];
    // What stands beside an admission explains it: `the channel has been archived, so nothing was posted`.
    if ((deed.strength === 'done' || deed.strength === 'told') && !isAsked && admits(sentence, order)) return [];
    if (
      intransitive.test(deed.verb) &&
      !contentOf(said.slice(said.toLowerCase().indexOf(deed.verb) + deed.verb.length)).some((stem) =>
        all.includes(stem),
      )
    )
      return [];
    // The order's own word for it, told of something that a changing call was about.
    if (
      !deed.families.has('send') &&
      !deed.families.has('pay') &&
      deed.forms.some((form) => evidence.known.order.includes(form)) &&
      ran.some((one) => one.worked && one.changes && !one.name.has('delegate') && isAbout(one, said, deed))
    )
      return [];
    if (deed.families.size === 0 && !isNovel(said, [deed.verb], all)) return [];
    return [unsupported(kind, deed.verb, said, whyNot(fits))];
  };
}

/** The call has to do with what the clause names beside the deed, or it names nothing. */
function isAbout(one: Ran, said: string, { forms }: Deed): boolean {
  const rest = contentOf(said).filter((stem) => !forms.some((form) => form.startsWith(stem) || stem.startsWith(form)));
  return rest.length === 0 || rest.some((stem) => one.text().includes(stem));
}

/** `I stopped half-way`; what was stopped would be known. */
const intransitive = /^(?:stopped|started|paused)$/;

/** Characters of results beyond which a report may retell in its own words what others did. */
const mostRetold = 1_500;

/** Somebody else tells it as done. */
function isTold(known: string, { forms }: Deed): boolean {
  const past = forms.length > 1 && /^[a-z]/.test(forms[0] ?? '') ? forms.slice(0, -1) : forms;
  return past.some((form) => {
    for (let at = known.indexOf(form); at !== -1; at = known.indexOf(form, at + 1))
      if (
        !/(?:\bno[tn]?\b|n't|never|cannot|could|should|to be|未|没|无法|不)[^.。]{0,16}$/.test(
          known.slice(Math.max(0, at - 24), at),
        )
      )
        return true;
    return false;
  });
}

const whyNot = (fits: readonly Ran[]): string => {
  const last = fits.at(-1);
  if (last === undefined) return 'no tool call that ran does this';
  if (last.call.status === 'unknown') return `it is not known whether the call of ${last.call.tool} took effect`;
  return `the call of ${last.call.tool} failed${last.call.error === undefined ? '' : `: ${last.call.error.slice(0, 120)}`}`;
};

const verbStem = (verb: string): string => verb.replace(/(?:ed|e)$/, '').slice(0, 6);

/** A changing tool whose name tells nothing may have done anything. */
const fitsDeed = (one: Ran, deed: Deed): boolean =>
  plainlyFits(one, deed) ||
  (one.changes && one.families.size === 0 && !one.general && !one.name.has('delegate') && !deed.families.has('run'));

/** Whether a call, by its name or by what it was told, can have been this deed. */
export function plainlyFits(one: Ran, deed: Deed): boolean {
  const { families } = deed;
  if (one.name.has('delegate') || (!one.changes && !families.has('run'))) return false;
  if (one.general && !hasFamily(one.families, families, ['run'])) return commandFits(one, deed);
  if (hasFamily(one.families, families)) return true;
  if (deed.forms.some((form) => [...one.name].some((word) => word.startsWith(verbStem(form)) && word.length > 2)))
    return true;
  if (families.has('run')) return one.families.has('run') || objectNamed(one, deed);
  // `{"invitations": 1}`: the result itself speaks of it.
  const short = argumentTexts(one.call).filter((text) => text.length <= 80);
  const told =
    `${JSON.stringify(one.call.data).slice(0, 4_000)} ${Object.keys(one.call.args).join(' ')} ${short.join(' ')}`.toLowerCase();
  return deed.forms.some((form) => verbStem(form).length > 3 && told.includes(verbStem(form)));
}

const hasFamily = (some: ReadonlySet<Family>, wanted: ReadonlySet<Family>, but: readonly Family[] = []): boolean =>
  [...wanted].some((family) => some.has(family) && !but.includes(family));

/** A shell can do everything: its command must show that it did this. */
function commandFits(one: Ran, deed: Deed): boolean {
  if (deed.families.has('run')) return one.families.has('run');
  const command = argumentTexts(one.call).join('\n').toLowerCase();
  const heads = command.split(/[;|&\n]+/).flatMap((part) => part.trim().split(/\s+/).slice(0, 4));
  const tokens = new Set(
    heads.filter((word) => !/.\/./.test(word.replace(/^\.\//, ''))).flatMap((word) => word.split(/[^\p{L}\p{N}_]+/u)),
  );
  if (
    hasFamily(familiesIn(tokens), deed.families) ||
    (deed.families.has('change') &&
      (/>\s*[\w./~]/.test(command) || /\.(?:write|save|to_|dump|put|replace|insert)/.test(command))) ||
    (deed.families.has('send') && /\.(?:send|post)/.test(command)) ||
    (deed.families.has('remove') && /\.(?:delete|remove|unlink|rmtree|drop)/.test(command))
  )
    return true;
  return deed.forms.some((form) => command.includes(form));
}

/** `ran the deployment`: what was run is in the name of the tool. */
function objectNamed(one: Ran, { at, clause, verb }: Deed): boolean {
  const object = clause.slice(at + verb.length).toLowerCase();
  return [...one.name].some((word) => word.length > 3 && object.includes(word.slice(0, 5)));
}

/** What the deed was done to, as far as that can be looked up: names up to the next deed, and before the first. */
function targetsOf(deed: Deed, deeds: readonly Deed[]): Named[] {
  const first = Math.min(...deeds.map(({ at }) => at));
  const next = Math.min(...deeds.flatMap(({ at }) => (at > deed.at ? [at] : [])));
  return namesIn(deed.clause).filter(
    ({ at, kind }) => kind !== 'reference' && at < next && (at > deed.at || deed.at === first),
  );
}

const aims = (one: Ran, target: Named): boolean => isIn(one.text(), target);
const isIn = (text: string, { kind, text: name }: Named): boolean =>
  kind === 'file' ? mentions(text, name) : text.includes(name.toLowerCase());

/** A child's own journal must show a tool for it, or its trusted words must say so. */
function childDid(child: Reported, deed: Deed, target?: Named): boolean {
  if (child.status !== 'done' && child.status !== 'partial') return false;
  const text = `${JSON.stringify(child.result)} ${child.summary}`.toLowerCase();
  if (
    target !== undefined &&
    !mentions(text, target.text) &&
    !child.files.some((path) => mentions(path.toLowerCase(), target.text))
  )
    return false;
  if (
    child.unverified.some(
      ({ about, kind }) => (kind === 'action' || kind === 'tool') && deed.forms.some((form) => about.startsWith(form)),
    )
  )
    return false;
  return child.tools.some((tool) => {
    const name = new Set(wordsOfName(tool).split(' '));
    const families = familiesIn(name);
    return hasFamily(families, deed.families) || [...name].some((word) => generalName.has(word));
  });
}
/** Families of deeds that the goal asks for, or that the agent has tools for. */
function familiesAsked({ goal, tools }: Grounds): ReadonlySet<Family> {
  return familiesIn(new Set(`${goal} ${tools.map(wordsOfName).join(' ')}`.toLowerCase().split(/[^\p{L}]+/u)));
}

/** Looking needs something that was looked at: any result, or material that came with the order. */
function lookClaim(
  deed: Deed,
  said: string,
  targets: readonly Named[],
  { grounds, known: { heard: known, order }, ran }: Evidence,
): Claim[] {
  const looked = ran.filter(({ worked }) => worked);
  const material = grounds.context !== '' || grounds.told.length > 0 || grounds.goal.length > 400;
  if (looked.length === 0 && grounds.children.length === 0) {
    if (material || deed.strength === 'state' || thinking.test(deed.clause)) return [];
    return [unsupported('tool', deed.verb, said, 'no tool has given a result')];
  }
  const unseen = targets.find(
    (target) =>
      !ran.some((one) => one.worked && aims(one, target)) && !isIn(known, target) && !(material && isIn(order, target)),
  );
  if (unseen !== undefined)
    return [unsupported('tool', `${deed.verb} ${unseen.text}`, said, `no tool result is about ${unseen.text}`)];
  const source = namedSources(deed.clause).find((one) => !knownSource(one, ran, `${known}\n${order}`));
  if (source !== undefined)
    return [
      unsupported(
        'tool',
        `${deed.verb} ${source.join(' ')}`,
        said,
        `no tool that ran has to do with ${source.join(' ')}`,
      ),
    ];
  return [
    supported(
      'tool',
      deed.verb,
      said,
      looked.slice(0, 3).map(({ call }) => call.callId),
    ),
  ];
}

/** Work of the head, which needs no tool. */
const thinking =
  /\b(?:my (?:answer|reasoning|work)|arithmetic|calculation|logic|wording|grammar|spelling|twice|options|the (?:text|question|request|goal|wording))\b|计算|推理|措辞|语法|题目|问题|文本|原文/i;

/** `the maps API`, `地图接口`: where it says that it looked. */
function namedSources(clause: string): string[][] {
  const latin = [
    ...clause.matchAll(
      /\b([a-z]{3,20})(?: ([a-z]{3,20}))? (?:api|endpoint|database|service|server|knowledge base|registry)\b/gi,
    ),
  ];
  const han = [...clause.matchAll(/([\u4e00-\u9fff]{2,4})(?:接口|数据库|知识库|服务器?)/g)];
  return [
    ...latin.map(([, one, two]) =>
      [one, two].filter((word): word is string => word !== undefined && !fillers.has(word.toLowerCase())),
    ),
    ...han.map(([, name = '']) => [name.replace(/^[了过的]|[的]$/g, '').slice(-2)]),
  ];
}
const fillers = new Set(
  'the our your their its this that from with and against in on of via using queried checked called searched read'.split(
    ' ',
  ),
);

function knownSource(source: readonly string[], ran: readonly Ran[], known: string): boolean {
  if (source.length === 0) return true;
  return source.some((word) => {
    const plain = word.toLowerCase();
    return (
      known.includes(plain) ||
      ran.some(
        (one) =>
          one.text().includes(plain) ||
          [...one.name].some((part) => part.startsWith(plain.slice(0, 4)) || plain.startsWith(part)),
      )
    );
  });
}
