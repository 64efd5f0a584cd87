/** Whether a statement says that something is so, or denies, doubts, plans, excuses or postpones it. */

/** What nobody wants, and what could be left to do. To deny it is to say that all is well. */
const trouble =
  '(?:errors?|fail(?:s|ed|ures?|ing)?|issues?|problems?|warnings?|findings?|complain(?:s|ts?)?|troubles?|incidents?|hitch(?:es)?|snags?|remarks?|comments?|glitch(?:es)?|hiccups?|surprises?|obstacles?|conflicts?|delays?|loose ends?|follow-?ups?|leftovers?|backlog|red|broken|breaks?|flak(?:es|y)|crash(?:es|ed)?|regressions?|complications?|objections?|concerns?|doubts?|exceptions?|losses|drama|difficult(?:y|ies)|further|else|left|remain(?:s|ing)?|outstanding|open|pending|missing|wrong|to (?:do|add|report|fix|worry)|more (?:to|is|work|steps?|action)|(?:action|steps?|work) (?:is |are )?(?:needed|required|necessary|left))';
const reassurance = new RegExp(
  `\\b(?:no|zero|0|without|nothing|none|nobody|never|not an?y?|not one|not a single|free of)\\b(?:[\\s,]+(?:an?|any|a single|single|one|of|the|them|more|other|further|has|have|is|are|was|were|new|real|open|known|red|the least)){0,3}[\\s,]+${trouble}\\b(?: (?:one|ones|runs?|tests?|items?|points?))?|\\b(?:no need (?:to|for)|need(?: |n['o]t |n’t )worry|(?:do not|don['’]t) worry|no (?:further|more) \\w+|no worries|let me know)\\b|(?:没有?|无|未(?:见|发现|出现|再)?|零|不(?:存在|再有)|毫无)(?:任何|其他|其它|什么|一[个处项]|再|有)?(?:问题|错误|异常|报错|失败|警告|告警|遗留(?:问题)?|隐患|差错|意外|瑕疵|障碍|遗漏|偏差|投诉|风险|冲突|纰漏|误|需(?:要)?(?:再|另|您|跟进|处理|操作|担心)|须|后顾|剩余?|待办)|(?:不(?:必|用)|别|勿)(?:再|您|你)?(?:担心|操心|费心|管|跟进|处理)`,
  'gi',
);

/** Words of courtesy and of the order, which say nothing of what came about. */
const courtesy =
  /\byou(?:['’]ll| will| can| may| could| should| might)(?: now| also)? (?:find|see|get|open|download|check|read|view|use)\b|\b(?:can|may|could|should) (?:now )?be (?:found|seen|opened|downloaded|viewed|used)\b|\b(?:(?:that|which|as|what|exactly what) )?(?:you|was|were|is) (?:had )?(?:asked(?: for)?|requested|wanted|needed|expected|ordered)\b|\b(?:as|than) (?:requested|asked|expected|required|planned|instructed|needed|ordered|wanted)\b|\bplease (?:see|find|review|check|note|have a look)\b|请(?:查收|查看|查阅|过目|放心|见|看|参[见阅考]|审阅)|按(?:照)?(?:要求|需求|计划|预期|建议)|如(?:您)?(?:所)?(?:要求|需|愿|期|下|上)/gi;

const denial =
  /\b(?:not|no|none|nothing|nobody|no one|never|neither|nor|without(?= \w+ing\b| (?:access|permission|rights|an?\b|the\b))|cannot|unable|unavailable|impossible|hardly|fail(?:s|ed|ure|ures|ing)?|refus(?:es|ed|al)|den(?:y|ies|ied|ial)|reject(?:s|ed|ion)?|declin(?:es|ed)|block(?:s|ed|er)?|bounc(?:es|ed)|errors?|err(?:s|ed)|timed? ?-?out|missing|misses|missed|lack(?:s|ed|ing)?|absent|stuck|skip(?:s|ped)?|omit(?:s|ted)?|left (?:out|undone|open|untouched|alone)|(?:held|hold|holding|stopp(?:ed|ing)|fell|falls|came|comes) (?:back|off|short)|abort(?:s|ed)?|pending|outstanding|postponed|deferred|incomplete|partial(?:ly)?|half|only|except|offline|unreachable|locked|forbidden|inaccessible|beyond|out of reach|sorry|afraid|regret(?:s|tably)?|unfortunately|await(?:s|ing)?|waiting|waits|remains?|still|yet|instead|unless|broken?|crash(?:es|ed)?|red|n\/?a|unknown|unclear|unsure|open question|for (?:a|another|some) (?:human|person)|zero)\b|\bun(?!der|i[tfq]|til|lock|pack|subscrib)[a-z]{2,}(?:ed|able|ible|ful|sent|paid|done|met|known|clear|ied)\b|n['’]t\b|[✗✘✖❌❎☐🚫⛔⚠]|\[ \]/iu;
const plan =
  /\b(?:will|would|should|could|might|may|must|shall|going to|plan(?:s|ned)?|intend(?:s|ed)?|propose[sd]?|recommend(?:s|ed)?|suggest(?:s|ed)?|need(?:s|ed)?|want(?:s|ed)?|try|tried|attempt(?:s|ed)?|if|please|to be|assum(?:e|ed|ing)|apparently|allegedly|presumably|perhaps|maybe|probably|possibly|seems?|appears?|likely|unverified|unconfirmed)\b|['’](?:ll|d)\b|\?/i;
const chineseDenial =
  /[没未无勿缺]|不(?![断仅只但久过少同错妨论管])|尚|失败(?![率的])|拒|暂|仍(?!然正常)|还(?:差|要|需|得|在等|是老)|只(?:有|能|看|查|好|做|完成|读)|作罢|除外|遗憾|抱歉|受阻|卡[住在]|搁置|报错|出错|故障|离线|断开|中断|超时|过期|锁定|归档|难以|[❌✗✘×]/;
const chinesePlan =
  /将|稍后|接下来|下一步|准备|打算|计划|拟(?![好定写])|应[该当]?|需要?|必须|可以|可能|也许|或许|似乎|大概|是否|如果|若|假如|一旦|建议|推荐|请|希望|试图|尝试|等待?|待|据称|[？?]|吗|的话/;

const subject =
  /\b(?:fail|refus|den[yi]|reject|declin|block|bounc|error|miss|lack|absent|skip|omit|abort|pend|outstanding|open|postpon|defer|incomplete|offline|lock|broken|crash|red|unpaid|unread|unused|unresolved|un[a-z]{3,}ed)[a-z]*\b|失败|缺|报错|出错|故障|离线|超时|过期|锁定|归档|未(?:付|读|完成|处理|解决|回复)|不合格/gi;

const blank = (words: string): string => ' '.repeat(words.length);

export const withoutReassurance = (text: string): string => text.replace(reassurance, blank).replace(courtesy, blank);

/**
 * It owns up to something that is not so, or not known, or not possible. Words of failure that the order itself uses are
 * its subject: `ERROR lines`, `the failed jobs`.
 */
export function admits(text: string, order = ''): boolean {
  const plain = withoutOrder(text, order);
  return denial.test(plain) || chineseDenial.test(plain);
}

/** Without reassurance, and without the words of failure that the order uses: `ERROR lines`, `未登录的账号`. */
function withoutOrder(text: string, order: string): string {
  if (order === '') return withoutReassurance(text);
  return withoutReassurance(text)
    .replace(subject, (word) => (order.includes(word.toLowerCase().slice(0, 5)) ? blank(word) : word))
    .replace(chineseSubject, (word) => (order.includes(word) ? blank(word) : word));
}
const chineseSubject = /[没未无不缺][\u4e00-\u9fff]{1,2}/g;

/** Neither admitted nor planned, doubted, asked or conditional. */
export const asserts = (text: string, order = ''): boolean => {
  const plain = withoutOrder(text, order);
  return !(denial.test(plain) || chineseDenial.test(plain) || plan.test(plain) || chinesePlan.test(plain));
};
