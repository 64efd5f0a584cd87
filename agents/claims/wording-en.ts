/** English words of deeds: which family each belongs to, and what turns a sentence about one into no claim. */
import type { Family, VerbRow } from './family.js';

/** Past forms, then the base form. A verb may belong to several families; a call of any of them supports it. */
export const englishVerbs: readonly VerbRow[] = [
  ['change', 'wrote written write'],
  ['change', 'saved save'],
  ['change move', 'stored store'],
  ['change', 'created create'],
  ['change', 'generated generate'],
  ['change move', 'exported export'],
  ['change', 'appended append'],
  ['change', 'recorded record'],
  ['change', 'logged log'],
  ['change', 'updated update'],
  ['change', 'edited edit'],
  ['change', 'modified modify'],
  ['change', 'patched patch'],
  ['change', 'fixed fix'],
  ['change', 'repaired repair'],
  ['change', 'corrected correct'],
  ['change', 'resolved resolve'],
  ['change', 'implemented implement'],
  ['change', 'refactored refactor'],
  ['change', 'replaced replace'],
  ['change', 'inserted insert'],
  ['change', 'imported import'],
  ['change', 'added add'],
  ['change', 'registered register'],
  ['change', 'configured configure'],
  ['change deploy', 'enabled enable'],
  ['change deploy remove', 'disabled disable'],
  ['change', 'assigned assign'],
  ['change', 'tagged tag'],
  ['change', 'labelled labeled label'],
  ['change', 'closed close'],
  ['change', 'filed file'],
  ['change', 'scheduled schedule'],
  ['change pay', 'booked book'],
  ['change pay', 'reserved reserve'],
  ['change pay', 'ordered order'],
  ['change pay', 'placed place'],
  ['change', 'approved approve'],
  ['change', 'rejected reject'],
  ['change', 'granted grant'],
  ['change', 'reset reset'],
  ['change', 'rotated rotate'],
  ['change', 'encrypted encrypt'],
  ['change', 'converted convert'],
  ['change', 'formatted format'],
  ['change', 'resized resize'],
  ['change', 'compressed compress'],
  ['change', 'drafted draft'],
  ['send', 'sent send'],
  ['send', 'emailed e-mailed email'],
  ['send', 'mailed mail'],
  ['send', 'notified notify'],
  ['send', 'informed inform'],
  ['send', 'alerted alert'],
  ['send', 'messaged message'],
  ['send', 'texted text'],
  ['send', 'called_up phoned phone'],
  ['send', 'replied reply'],
  ['send', 'answered answer'],
  ['send', 'forwarded forward'],
  ['send', 'shared share'],
  ['send', 'announced announce'],
  ['send', 'invited invite'],
  ['send', 'reminded remind'],
  ['send', 'escalated escalate'],
  ['send', 'submitted submit'],
  ['send', 'posted post'],
  ['send deploy', 'published publish'],
  ['send move', 'uploaded upload'],
  ['send change', 'attached attach'],
  ['send', 'delivered deliver'],
  ['remove', 'deleted delete'],
  ['remove', 'removed remove'],
  ['remove', 'erased erase'],
  ['remove', 'purged purge'],
  ['remove', 'wiped wipe'],
  ['remove', 'cleared clear'],
  ['remove', 'dropped drop'],
  ['remove', 'truncated truncate'],
  ['remove', 'uninstalled uninstall'],
  ['remove', 'cancelled canceled cancel'],
  ['remove change', 'revoked revoke'],
  ['remove change', 'archived archive'],
  ['remove', 'banned ban'],
  ['deploy', 'deployed deploy'],
  ['deploy', 'released release'],
  ['deploy', 'launched launch'],
  ['deploy', 'rolled_out'],
  ['deploy', 'rolled_back'],
  ['deploy', 'restarted restart'],
  ['deploy', 'rebooted reboot'],
  ['deploy', 'installed install'],
  ['deploy change', 'upgraded upgrade'],
  ['deploy move', 'migrated migrate'],
  ['deploy change', 'scaled scale'],
  ['deploy', 'provisioned provision'],
  ['deploy run', 'triggered trigger'],
  ['run', 'ran run'],
  ['run', 'executed execute'],
  ['run', 'compiled compile'],
  ['run deploy', 'built build'],
  ['run', 'benchmarked benchmark'],
  ['pay', 'paid pay'],
  ['pay', 'refunded refund'],
  ['pay', 'charged charge'],
  ['pay', 'transferred transfer'],
  ['pay', 'bought buy'],
  ['pay', 'purchased purchase'],
  ['pay', 'reimbursed reimburse'],
  ['pay change', 'credited credit'],
  ['move', 'moved move'],
  ['move', 'copied copy'],
  ['move', 'renamed rename'],
  ['move', 'backed_up'],
  ['move', 'merged merge'],
  ['move change', 'committed commit'],
  ['move send', 'pushed push'],
  ['move', 'synced synchronised synchronized sync'],
  ['move', 'restored restore'],
  ['look', 'read'],
  ['look', 'searched search'],
  ['look', 'looked_up'],
  ['look', 'looked_into'],
  ['look', 'queried query'],
  ['look', 'fetched fetch'],
  ['look', 'downloaded download'],
  ['look', 'retrieved retrieve'],
  ['look', 'checked check'],
  ['look', 'double-checked'],
  ['look', 'verified verify'],
  ['look', 'validated validate'],
  ['look', 'confirmed confirm'],
  ['look', 'inspected inspect'],
  ['look', 'examined examine'],
  ['look', 'scanned scan'],
  ['look', 'reviewed review'],
  ['look', 'analysed analyzed analyse analyze'],
  ['look', 'parsed parse'],
  ['look', 'measured measure'],
  ['look', 'profiled profile'],
  ['look', 'monitored monitor'],
  ['look', 'browsed browse'],
  ['look', 'crawled crawl'],
  ['look', 'visited visit'],
  ['look', 'opened open'],
  ['look', 'listed list'],
  ['look', 'extracted extract'],
  ['look', 'gathered gather'],
  ['look', 'collected collect'],
  ['look', 'processed process'],
  ['look', 'tested test'],
  ['look', 'audited audit'],
  ['look', 'investigated investigate'],
  ['look', 'went_through'],
  ['look', 'consulted consult'],
  ['look', 'cross-checked'],
  ['look', 'counted count'],
  ['change', 'signed sign'],
  ['change', 'subscribed unsubscribed subscribe'],
  ['change deploy', 'activated deactivated activate'],
  ['change deploy', 'switched switch'],
  ['change deploy', 'turned_on turned_off'],
  ['change', 'locked unlocked lock'],
  ['change', 'arranged arrange'],
  ['change', 'set_up'],
  ['change', 'printed print'],
  ['change', 'bookmarked bookmark'],
  ['send', 'paged page'],
  ['send', 'pinged ping'],
  ['send', 'contacted contact'],
  ['send', 'handed_over handed_off'],
  ['send', 'shipped ship'],
  ['send', 'dispatched dispatch'],
  ['send', 'commented comment'],
  ['pay', 'signed_up'],
  ['deploy', 'started start'],
  ['deploy', 'stopped stop'],
  ['deploy', 'paused pause'],
  ['call', 'called call'],
  ['call', 'invoked invoke'],
  ['call', 'used use'],
];

/** Words in the name of a tool, or in a command that a general tool was given, that tell what it does. */
export const toolWords: Readonly<Record<Exclude<Family, 'look' | 'call'>, string>> = {
  change:
    'write save store create make generate export append record log update edit modify patch fix repair replace insert import add register configure config set enable disable assign tag label close resolve open file schedule approve reject grant reset rotate encrypt convert format upsert put change note remember memory tee insert into sed touch mkdir render draw plot draft comment ticket issue',
  send: 'send mail email sms notify notification message msg post publish reply forward share announce invite remind submit upload attach deliver alert slack webhook chat tweet page escalate sendmail dispatch push fax comment',
  remove:
    'delete remove erase purge wipe clear drop truncate uninstall cancel revoke archive rm del unlink rmdir prune block ban',
  deploy:
    'deploy release launch rollout roll rollback restart reboot install upgrade migrate migration migrations scale provision start stop service kubectl helm docker apply systemctl publish build terraform',
  run: 'run exec execute test tests testing pytest jest vitest compile build make bench benchmark lint ci job pipeline script command shell bash python code sh node npm cargo go mvn check',
  pay: 'pay payment refund charge transfer buy purchase order book reserve checkout invoice wire reimburse credit booking reservation',
  move: 'move copy rename backup archive merge commit push sync mirror restore mv cp git upload migrate transfer rsync scp',
};

/** Tools that do whatever they are told; what they were told must show the deed. */
/** Tools of these words only look, whatever class they were declared with, unless another word says that they change. */
export const lookWords =
  'get list read search find query fetch lookup show describe count stat stats statistics view load look check inspect profile aggregate browse retrieve select scan extract parse analyze analyse measure monitor metrics status weather info history';

export const generalTools =
  'shell bash sh exec execute command terminal python code script eval http request curl sql browser computer api rpc';

/** Work of the head that is told with a verb of doing: nothing need have run for it. */
export const headWork =
  /^ran (?:out|into|over|short|late)\b|^(?:added|put|moved|converted|corrected|recorded|replaced) (?:it |them |these |those |both |all )?(?:up\b|together|in my head|(?:the )?(?:\w+ ){0,2}(?:months|numbers|figures|values|amounts|counts|totals|sums|digits|units|terms)\b)|^(?:stopped|started|paused|ended|began) (?:after|at|here|there|before|when|where|because|short|with|by|from|out|\w+ing)\b|^(?:answered|addressed) (?:the|your|all|both|each|this|that|every)\b/i;

/** What was asked is answered by the report itself, not by a message to somebody. */
export const answersQuestions =
  /\b(?:questions?|parts?|points?) (?:(?:is|are|was|were|(?:has|have) been) )?(?:all )?(?:answered|addressed)\b/i;

/** Deeds of the head, of which no journal can know. Past forms that are in no row above count as deeds unless they stand here. */
export const mental =
  'added noticed concluded decided calculated computed summarised summarized compared considered assumed estimated combined translated explained included based rounded sorted grouped started stopped tried wanted needed learned learnt focused ignored skipped limited identified determined followed worked reasoned derived described outlined organised organized structured ordered selected picked listed noted observed realised realized interpreted inferred completed finished reached received expected hoped liked agreed obtained discovered detected managed succeeded applied reported highlighted categorised categorized classified ranked rated weighed evaluated assessed solved addressed covered preferred treated referred mentioned quoted cited multiplied divided subtracted averaged converted matched filtered omitted trimmed shortened rephrased reworded adapted kept performed delegated assigned waited attempted failed asked requested handled gathered collected tracked taken achieved accomplished fulfilled involved needed caused affected observed confirmed increased decreased doubled dropped risen improved raised reduced changed located named called provided';

/** Past forms that do not end in -ed, of verbs that tell an event; those that are nouns or base forms as well are left out. */
export const irregularPast =
  'went gone came brought took taken gave given held lent hung laid met sold shook spoke stood swept taught threw won withdrew withdrawn drew drawn drove driven fed flew flown fought got gotten built hid rang ran sent slid spent sprang struck swore swung tore told woke wrote written made paid bought kept caught dealt dug fell grew overtook undertook undid redid rebuilt reset resent rewrote forwent oversaw';

/** Of those, what is a past form behind `I` and `we` only. */
export const doubtfulPast = 'set put cut hit split shut let left led bound shot quit lit';

/** `opened a ticket` makes one; `opened the page` looks at one. */
export const madeByOpening =
  /\b(?:tickets?|issues?|pull requests?|prs?|cases?|accounts?|incidents?|bugs?|requests?)\b/i;

export const standsFor =
  "i we i've we've executor executors agent agents subagent subagents sub-agent sub-agents assistant";
export const between =
  "also already successfully just now then finally both all have has had 've once again thereby subsequently automatically manually therefore properly correctly each promptly immediately quickly carefully thoroughly first next afterwards afterward later since and";
export const auxiliaries = 'is are was were got gets';
export const determiners =
  'the a an this that these those any no of with every some previously newly recently last its their our your my as';

/** A clause with one of these states no deed. */
export const noDeed =
  /\b(?:not|no|never|nothing|none|neither|nor|without|cannot|unable|failure|fail(?:s|ed|ing)?(?=\s*(?:to|with|because|due|when|while|again|twice|at|on|$|[,.;:]))|refused|denied|declined|blocked by|will|would|should|could|can|may|might|must|shall|plan(?:s|ned)?|going to|need(?:s|ed)?|want(?:s|ed)?|intend(?:s|ed)?|try|tried|trying|attempt(?:s|ed)?|(?:is|are|was|were|has|have|had|needs?|still|yet) to be|remains?|pending|if|unless|until|before|whether|once|when|please|let me|let's|recommend(?:s|ed)?|suggest(?:s|ed)?|propose[sd]?|require[sd]?|instead of|rather than|supposed|ought|ready to|yet to|still has|unclear|unknown|unverified|unconfirmed|claims?|claimed|says that|allegedly|apparently|asked|requested|expected|awaiting|waits?|for example|(?:stopped|fell|came) short|held (?:back|off)|left (?:out|open|undone|alone))\b|n't\b|n’t\b|\?/i;
/** Of these, the ones that a later clause may lean on: what is not done is not done in the next clause either. */
export const completion =
  'calculation translation analysis summary document content operation operations action actions item items ran through gone done complete completed completes completion finished finish finishes success successful successfully succeeded ok okay all set task tasks job work everything went fine well good great great! as requested request requested required asked instructed expected per your you goal goals reached achieved accomplished fulfilled ready handled taken care sorted wrapped up executed performed carried out perfect perfectly smoothly without issues issue problems problem errors error status result results true yes now has have been is are was were the a an and i it this that of to with in no any for my our we be can will here there so just also fully entirely whole nothing else left remains subtask steps step been every each already let know need anything further happy help glad sure certainly course processed process delivered satisfied news concluded closed thanks thank found detected seen 0 order state outcome progress 100';

export const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
