/**
 * Phrases with which people agree or disagree with a finding, for classify-reply.ts. A phrase is matched within one clause, in lower
 * case, without code and quotes.
 */

export type ReplyVerdict = "agrees" | "disagrees";

export type ReplySignal = {
  readonly says: ReplyVerdict;
  /** 2: the verdict itself. 1: politeness, or words that may be about the code; a verdict outweighs them. */
  readonly weight: 1 | 2;
  /** The meaning of the phrase after "not": its opposite, or nothing. */
  readonly negated: "opposite" | "nothing";
  /** Counts only at the start of a sentence: "removed" is an answer there, and about the code elsewhere. */
  readonly isOpening: boolean;
  readonly pattern: RegExp;
};

type Row = readonly [weight: ReplySignal["weight"], negated: ReplySignal["negated"], pattern: RegExp];

/** Words that may come before a verb at the start of a clause: "ok thanks, i've now fixed". */
const LEAD =
  /^(?:(?:ok|okay|yes|yep|yeah|yup|sure|perfect|thanks|thank you|cool|great|good|ah|oh|ack|acknowledged|and|so|also|all|both|now|just|i've|i have|we've|we have|has been|have been|is now|are now|it's|this is|that's|this has been|it has been|should be|been) )*/
    .source;

const VERDICT_ON_A_PROBLEM =
  /\b(?:is|it's|that's|was|isn't|wasn't|not) (?:indeed |really |actually |definitely |clearly |even )?an? (?:real |actual |genuine |true |legit )?(?:bug|issue|problem|mistake|typo|oversight|concern|vulnerability|risk)\b(?! (?:in|with|of|for|on|upstream)\b)/;

const AGREES: readonly Row[] = [
  [
    2,
    "nothing",
    /\b(?:good|great|nice|excellent|awesome|amazing|fantastic|super|solid|nicely|well) (?:catch|find|finding|spot|spotted|caught|eye)\b/,
  ],
  [2, "nothing", /\b(?:valid|legit|legitimate) (?:point|concern|finding|issue|bug|catch|comment)\b/],
  [
    2,
    "opposite",
    /\b(?<!as |we )agreed?\b(?! (?:upon|on|to|with (?!you\b|this\b|that\b|the (?:bot|comment|finding|suggestion|review)\b)))/,
  ],
  [
    2,
    "opposite",
    /\b(?:you're|you are|kodiai is|bot is) (?:absolutely |totally |completely |quite |indeed |of course |actually )?(?:right|correct)\b(?! (?:that|in that|about))/,
  ],
  [
    2,
    "nothing",
    /\b(?<!already |to be |can be |could be |would be |must be |once |when |until |after |being |get |gets |got |a |the |was |yet )(?:fixed|addressed|corrected|rectified|modified)\b(?![- ](?:size|width|height|length|point|value|number|amount|set|list|cost|version|by design))/,
  ],
  [
    2,
    "nothing",
    /\b(?:i'll|i will|we'll|we will|let me|i'm going to|i am going to|i'm gonna|will) (?:just |also |definitely |quickly |try to |go and )?(?:fix (?:it|this|that|them|these|the)|make (?:a few |some |the |this |that |these |those )(?:\w+ )?(?:changes?|updates?|tweaks?|fix(?:es)?|adjustments?)|apply (?:it|this|that|the)|do (?:that|it|so|this))\b/,
  ],
  [
    2,
    "nothing",
    /\b(?:i'll|i will|we'll|we will|let me|i'm going to|i am going to|i'm gonna) (?:just |also |definitely |quickly |try to )?(?:fix|change|update|address|correct|adjust|rename|remove|refactor|rework|rewrite|add (?!a (?:\w+ )?(?:comment|note)))\b/,
  ],
  [
    2,
    "nothing",
    /\b(?:these|they|this|that|it|commits?) (?:should )?address(?:es)? (?:it|this|that|both|your|these|those|the)\b/,
  ],
  [2, "nothing", /\b(?:oops|whoops|woops|my bad|my mistake|my fault|d'oh|facepalm)\b/],
  [
    2,
    "nothing",
    /\b(?:i|we|totally|completely) (?:\w+ )?(?:missed (?:this|that|it)|overlooked|forgot)\b|^(?:forgot|missed (?:this|that|it))\b|\bi didn't mean (?:to|for)\b/,
  ],
  [2, "opposite", VERDICT_ON_A_PROBLEM],
  [2, "nothing", /\b(?:copy[- ]?paste|copy and paste) (?:error|mistake|bug|fail)\b/],
  [2, "nothing", /\bun(?:intentional|intended)\b/],
  [2, "nothing", /^(?:so |yes |then )*(?:please|let's|lets) (?:fix|change|do) (?:it|this|that)\b/],
];

const OPENLY_AGREES: readonly Row[] = [
  [
    2,
    "nothing",
    /(?:done|resolved)\b(?! (?:on purpose|intentionally|deliberately|because|this way|like this|that way|so|in|with)(?! (?:the (?:last|latest|next|newest)|[0-9a-f]{6,})))/,
  ],
  [
    2,
    "nothing",
    /(?:updated|changed|removed|renamed|moved|refactored|reworked|rewrote|rewritten|replaced|adjusted|extracted|simplified|applied|adopted|reverted|dropped|tweaked|tidied|squashed|cleaned up|switched|added (?!a (?:\w+ )?(?:comment|note|suppression|ignore)))/,
  ],
  [2, "nothing", /i (?:refactored|reworked|updated|reverted|fixed|addressed)\b/],
  [2, "nothing", /(?:will|gonna) (?:do|fix|change|update|address|correct|adjust|rename|remove|refactor)\b/],
  [
    2,
    "nothing",
    /(?:fixing|addressing|on it|(?:changing|removing) (?:it|this|that)|i made (?:this|that|the) change|went ahead and)\b/,
  ],
  [1, "opposite", /(?:that |this |it )?(?:totally |definitely )?makes (?:perfect |total |a lot of )?sense$/],
  [
    1,
    "nothing",
    /(?:very |that's a |really )?(?:good|great|fair|excellent|nice) (?:points?|ideas?|suggestions?|call|comment|thinking|tip)\b(?! then)|^fair(?: enough)?$/,
  ],
  [
    1,
    "nothing",
    /(?:thanks|thank you|thx|ty) for (?:the |this )?(?:catch\w*|spotting|finding|noticing|flagging|pointing)\b/,
  ],
  [1, "opposite", /(?:that's|that is) (?:right|correct|true)$/],
  [1, "nothing", /sounds (?:good|great|reasonable)(?: to me)?$/],
  [
    1,
    "nothing",
    /(?:this|that|it)?(?: [\w-]+){0,2} ?(?:has|have) been (?:added|removed|renamed|changed|updated)\b/,
  ],
];

const DISAGREES: readonly Row[] = [
  [2, "opposite", /\bfalse[- ](?:positive|alarm|flag)s?\b/],
  [2, "nothing", /\bdisagree\b/],
  [
    2,
    "opposite",
    /\b(?:is|was|are|it's|that's|isn't|wasn't|aren't)(?: \w+)? (?:intentional|deliberate|intended|expected|(?:the )?(?:expected|intended) behaviou?r|as (?:intended|designed))\b(?! (?:to|for))|^(?:intentional|intended|deliberate|expected)$|\b(?:intentionally|deliberately|on purpose|by design|work(?:s|ing)? as (?:intended|designed|expected))\b/,
  ],
  [
    2,
    "nothing",
    /\bwont ?fix\b|\b(?:i|we)(?:'m|'re| am| are)? (?:won't|will not|not going to) (?:fix|change|do|address)\b/,
  ],
  [2, "nothing", /\bhallucinat\w+|\bbogus\b|\bnonsense\b/],
  [
    2,
    "nothing",
    /\bno (?:real |actual )?(?:issue|problem|bug|risk|harm|danger|leak|race)s? (?:here|with this|in this|at all)\b|\bnon-?issue\b/,
  ],
  [2, "nothing", /\b(?:doesn't|don't) (?:really |actually )?(?:apply\b|matter here\b)/],
  [
    2,
    "nothing",
    /\b(?:is|it's|that's|isn't|is not|not) (?:really |actually )?(?:not )?(?:applicable|relevant here|irrelevant)\b|^n\/a$/,
  ],
  [
    2,
    "nothing",
    /\b(?:can't|cannot|can not|couldn't|unable to|not able to|wasn't able to) (?:actually )?reproduce\b/,
  ],
  [
    2,
    "nothing",
    /\balready (?:being |been |properly |correctly )?(?:handled|checked|validated|covered|guarded|escaped|sanitized|sanitised|protected|guaranteed|ensured|verified|enforced|caught|taken care)\b/,
  ],
  [
    2,
    "nothing",
    /\b(?:fine|ok|okay|good|safe|correct) as (?:it )?is\b|^(?:(?:let's|i'd|i would|we can|we should|i'll|i will|please|rather|prefer to|just|so|i think|think) )*(?:leave|keep|leaving|keeping|left|kept) (?:it |this |that |them )?(?:as[- ](?:it )?is|like (?:this|that|it is)|the way it is)\b/,
  ],
  [
    2,
    "nothing",
    /\b(?:i'd|i would|we'd|i) (?:much )?(?:rather|prefer to|prefer that we) (?:just )?(?:keep (?:it|this|the)|leave (?:it|this|the)|wait|not)\b|\b(?:i'd|i would|we'd|i|we) (?:much )?prefer not\b|\bi(?:'d| would)? prefer the (?:current|existing|original)\b/,
  ],
  [
    2,
    "nothing",
    /\b(?:bot|kodiai|suggestion|comment|finding|claim|analysis|reviewer|warning|advice|ai|premise|assumption|review) (?:is|was|seems|looks|are) (?:just |simply |completely |plain |flat out |factually )?(?:wrong|incorrect|mistaken|invalid|inaccurate|useless|misleading|outdated|nonsense|not (?:correct|right|valid|accurate|true|useful|applicable))\b/,
  ],
  [2, "nothing", /\b(?:you're|you are) (?:wrong|mistaken|incorrect|not (?:right|correct))\b/],
  [
    2,
    "nothing",
    /\b(?:that's|that is|this is|it's|it is) (?:just |simply |actually |really )?(?:not (?:true|accurate|the case|how)|untrue|inaccurate)\b|^not (?:true|the case)\b/,
  ],
  [
    2,
    "nothing",
    /\bdon't (?:really )?think (?:so\b|that's (?:true|correct|right|the case|needed|necessary)|(?:this|that|it|there)(?:'s| is| are| would be) (?:actually |really )?(?:an? |any )?(?:real |actual )?(?:issue|problem|bug|concern|risk|needed|necessary|correct|true|relevant|applicable|valid|worth|required|possible|useful|helpful)|(?:this|that|it) (?:applies|matters|is worth)|we (?:need|have to|should|want))/,
  ],
  [
    2,
    "nothing",
    /\bdon't see (?:any|the|a|an|how this is (?:an?|any)) (?:\w+ )?(?:issue|problem|need|risk|reason|benefit|value|point|bug|advantage)\b/,
  ],
  [
    1,
    "nothing",
    /\b(?:can't|cannot|can not|can never|could never|will never|would never|won't ever|should never|never) (?:actually |really |ever )?(?:happens?|occurs?|(?:be|get) (?:null|undefined|nil|none|empty|blank|missing|unset|zero|negative|reached|hit|here|there|this far))\b/,
  ],
  [
    1,
    "nothing",
    /\b(?:is|are|it's|that's) (?:always )?(?:handled|checked|validated|guaranteed|ensured|enforced|covered|verified) (?:above|below|earlier|elsewhere|upstream|downstream|by the caller)\b/,
  ],
  [
    1,
    "nothing",
    /^(?:this|it|the code)(?:'s| is) (?:totally |perfectly |completely |absolutely |actually )?(?:fine|safe)(?: here| because\b.*)?$/,
  ],
  [
    1,
    "nothing",
    /\b(?:not|isn't) (?:really |actually |strictly )?(?:needed|necessary|required|worth it) here\b/,
  ],
  [
    1,
    "nothing",
    /\bno need to (?:check|handle|validate|guard|change|add|escape|worry)\b|\b(?:overkill|over-?engineer\w*|premature optimi[sz]ation|not convinced|not worth)\b/,
  ],
  [1, "nothing", /\b(?:makes no sense|doesn't make (?:any |much |a lot of )?sense)\b/],
];

/**
 * People seldom say "false positive". They decline, or give the reason: the code is meant to be so, or something else makes it right. A
 * reason is weaker than a verdict, because it may explain a defect too.
 */
const DECLINES: readonly Row[] = [
  [2, "nothing", /\bno (?:code |further |other )?changes? (?:is |are )?(?:needed|necessary|required)\b/],
  [
    2,
    "nothing",
    /\bsuggest\w*(?: \w+)? (?:doesn't|won't|wouldn't|can't|will not|would not) (?:even |actually )?(?:compile|work|build|parse|type-?check|help|run)\b/,
  ],
  [
    2,
    "nothing",
    /\b(?:bot|kodiai|comment|suggestion|finding|analysis|reviewer|warning|ai|review) (?:is (?:confusing|confused|missing that)|confuses|confused|misreads?|misunder\w+|misses that|missed that|doesn't (?:understand|see|know|realize|realise))\b/,
  ],
  [
    2,
    "nothing",
    /\bwe accept (?:this|that|the)\b|\b(?:known|accepted|acceptable|deliberate|conscious) (?:and accepted|limitation|risk|trade-?off|choice|decision)\b/,
  ],
  [
    2,
    "nothing",
    /\b(?:not|isn't) (?:really |actually )?an? (?:bug|issue|problem|concern|risk) (?:for us|in practice|in our|in this)\b/,
  ],
  [1, "nothing", /\b(?:this|that|it|which) would break\b/],
  [1, "nothing", /\bno need (?:for|to)\b/],
  [
    1,
    "nothing",
    /\b(?:doesn't|don't|never) (?:really |actually |ever )?(?:happens?|occurs?)\b(?! (?:any ?more|now|again))/,
  ],
  [1, "nothing", /\b(?:would be (?:redundant|superfluous|unnecessary|pointless)|premature)\b/],
  [1, "nothing", /\b(?:say|says|state|states) (?:the opposite|otherwise)\b/],
  [
    1,
    "nothing",
    /\b(?:i|we) (?:really |explicitly )?don't want (?:an?|any|to (?:add|change|introduce|have|depend|rely|touch|break))\b/,
  ],
  [
    1,
    "nothing",
    /\bi(?:'d| would) argue\b|\b(?:i|we) prefer (?:the (?!suggest|propos|new\b|bot)|this|to|explicit|having|keeping)/,
  ],
  [1, "nothing", /\bplease (?:leave|keep) (?:it|this|that|them)\b(?! (?:open|updated|posted|in mind))/],
];

/** A verb that takes the code's side, before what it keeps. */
const KEEP = "(?:keep|keeping|leave|leaving|retain|stick with|sticking with|stay with)";
const IT = "(?:it|this|that|them|these|those|the|our)";
/** A finding warns of these. */
const HARM = "(?:happens?|occurs?|fails?|leaks?|crash(?:es)?|panics?|overflows?|deadlocks?|races?|throws?)";
const NEVER =
  "(?:won't|wouldn't|will not|can't|cannot|can never|could never|will never|would never|not going to|never)";

/** Each weighs 1, and says nothing after "not". */
const EXPLAINS: readonly RegExp[] = [
  /\b(?:is|are|it's|that's|gets?|was) (?:always |already )?(?:handled|checked|validated|guaranteed|ensured|enforced|covered|verified|escaped|sanitized|sanitised|caught|held|taken|set) (?:by|in|at|on|one level up|further up|before)\b(?! (?:another|a separate|a later|a follow) |(?: (?:the |this |my )?)(?:last|latest|next|newest|new|commit|[0-9a-f]{6,}))/,
  /\b(?:framework|library|runtime|compiler|orm|router|middleware|driver|sdk|linter|lint rule|type system|type ?checker|types|schema|database|parser|caller|constructor|base class|decorator|wrapper|scheduler|proxy|gateway|kernel|browser) (?:already |always |itself |just )?(?:handles?|closes?|checks?|validates?|guarantees?|ensures?|enforces?|prevents?|rejects?|escapes?|rules? (?:this|that|it) out|takes care|retries|strips?|catches|normali[sz]es|redirects?|saniti[sz]es|does (?:this|that|it|the))\b/,
  /\bthere(?:'s| is) (?:already )?an? (?:unique |foreign key |not null |global )?(?:index|constraint|lock|guard|mutex|barrier)\b/,
  /\b(?:is|are) (?:guaranteed|non-?null(?:able)?|never (?:null|undefined|nil|none|empty|negative|zero|called|reached))\b/,
  /\bonly (?:ever )?used (?:in|by|for|from) (?:the |our |a )?(?:tests?|storybook|dev\w*|debug\w*|fixtures?|examples?|demos?|local)\b/,
  /\b(?:this|that|it)(?:'s| is) (?:just |only )?(?:an? )?(?:generated|vendored|third[- ]party|(?:test|mock|demo|example) (?:helper|code|fixture|file|data|double))\b/,
  /\b(?:that's|this is|it's) (?:just |exactly )?how (?:the|our) [\w/-]+ (?:expects?|wants?|does|requires?|needs?|works?)\b/,
  /\b(?:that's|this is|it's) (?:exactly |precisely )?(?:what we (?:want|need)|the (?:point|goal|whole point|idea|intent|intention|purpose|use[- ]case)\b)/,
  /\b(?:is|are) meant to\b|\bby convention\b|\bwe (?:rely|depend) on (?:this|that|it)\b/,
  /\b(?:same|existing) (?:pattern|style|convention|approach) as (?:everywhere|elsewhere|the (?:other|rest)|in (?:the|all))\b|\bconsisten(?:t|cy) with the (?:rest|other|existing|surrounding)\b/,

  new RegExp(`\\b${NEVER} (?:actually |ever |really )?${HARM}\\b(?! (?:if|when|unless|any ?more|again)\\b)`),
  /\b(?:is|it's|that's)(?: \w+)? (?:an impossibility|impossible)\b(?! to (?:read|tell|test|debug|know|see|say))/,
  /\b(?:won't|wouldn't|doesn't|will not|would not) (?:actually |really )?(?:help\b|change (?:much|anything)|buy us|make (?:a|any|much) difference)/,
  /\b(?:won't|wouldn't|shouldn't) (?:really |actually )?(?:be|need|require) (?:necessary|needed|required|any|extra|special)\b/,
  /^(?:this|it|that)(?:'s| is) (?:still |actually |indeed )?(?:necessary|needed|required) (?:because|since|so that|in order)\b/,
  /\b(?:is|are|it's|that's) already (?:there|present|in place|included|part of|the case|documented|tested)\b/,
  /\balready (?:handles?|checks?|validates?|guarantees?|ensures?|does|guards?|covers?|rejects?|escapes?) (?:this|that|it|for|against|the)\b/,
  /^(?:so )?(?:this|that|it|they)(?:'s|'re| is| are) (?:still |actually |perfectly |completely |already )?(?:thread[- ]?safe|robust|sound|idempotent|harmless|infallible)\b/,
  /\b(?:follows?|match(?:es)?|uses?|used|mirrors?) the (?:recommended|existing|documented|official|upstream) \b/,
  /\b(?:is|are) robust (?:under|against|to)\b/,
  /\b(?:doing|making|changing|adding|removing|moving) (?:it|this|that|so)(?: \w+){0,3} (?:would|is|isn't) (?:not safe|safe|unsafe|break|wrong|lose|hide|defeat)\b/,
  /\b(?:is|seems|feels|reads|looks) (?:\w+ )?(?:clearer|simpler|easier|more (?:readable|explicit|idiomatic)) to me\b/,
  /\b(?:i|we) (?:just |really |deliberately |specifically )?(?:like|chose|choose|wanted|opted|prefer) (?:to (?:be|keep|have|avoid|leave|not)|not to|having|keeping)\b/,
];

/** Each weighs 2: the speaker decides. */
const DECIDES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:i'd|i would|we'd|i'll|i will|we'll|let's|i want to|we want to|i prefer to|i'm going to) (?:just |rather |still |like to )?${KEEP} (?:it|this|that|them|these)\\b(?! (?:open|to|for|in mind|up|updated|posted|with|here|as a (?:todo|draft)))`,
  ),
  new RegExp(
    `\\b(?:i|we)(?:'d| would)? (?:also |still |personally |rather )?(?:suggest|propose|recommend|prefer|vote for|opt for)(?: to| we| that we)? ${KEEP} ${IT}\\b`,
  ),
  new RegExp(
    `\\b(?:i think|imo) (?:we|you|it) should (?:just |probably |rather )?${KEEP} ${IT}\\b(?! discussion)`,
  ),
  /\b(?:i'm|i am|we're|we are) (?:going to )?(?:declin(?:e|ing)|dismiss(?:ing)?|reject(?:ing)?) (?:this|that|it|the)\b/,
  /\b(?:i'd|i would|we'd|we would) (?:strongly |rather )?(?:advise|argue|vote|recommend) against\b/,
  /\b(?:issue|concern|report|alert|finding|claim|information) (?:is|are|seems|looks) (?:just |simply |therefore )?(?:invalid|moot|unfounded|out of date|outdated)\b/,
  /\bno real (?:issue|problem|bug|risk|concern)\b/,
  /\bdon't think (?:it's|that's|this is|it is|that is|doing it this way is|the change is) (?:\w+ )?(?:worth|better|consistent|a good idea|an improvement|wise)\b/,
  /\bdon't (?:really |actually )?see (?:any|the|an?) (?:\w+ )?(?:improvement|gain|harm|downside)\b/,
];

const OPENLY_DISAGREES: readonly Row[] = [
  [
    2,
    "nothing",
    /(?:declining|dismissing) as\b|going to decline\b|(?:skipping|ignoring|declining|rejecting|dismissing|disregarding)(?:$| (?:this|that|it|the (?:suggestion|comment|finding|bot|warning))\b)/,
  ],
  [
    2,
    "nothing",
    /(?:(?:i'm|i am|we're|we are) (?:going to |gonna )?|(?:i'll|i will|we'll|we will|i'd|let's) )?(?:just )?(?:leave|leaving|keep|keeping) (?:(?:this|it|that|them)(?: one)?(?:$| (?:for now|in place|alone|unchanged|like))|the (?:current|existing|original|old)\b)/,
  ],
  [
    1,
    "nothing",
    /(?:(?:this|it|that) (?:isn't|wasn't|is not)|(?:this is |it's |that's |that is )?not) (?:really |actually |strictly )?(?:needed|necessary|required)\b/,
  ],
  [1, "nothing", /no (?:race|leak|injection|overflow|deadlock|conflict|duplicates?)s?\b(?! (?:test|check))/],
  [1, "nothing", /(?:it |this |that )?(?:doesn't|don't) (?:really |actually )?matter\b/],
  [1, "nothing", /(?:we|you) (?:can't|cannot) (?:really |just )?use\b/],
  [
    1,
    "nothing",
    /we (?:do |actually |explicitly |always )?want (?:this|it|that|them) to (?!be (?:fixed|changed)|not\b)/,
  ],
  [1, "nothing", /tried (?:that|this|it)\b/],

  [2, "nothing", /(?:won't|will not|not going to) (?:fix|do|change|address)\b/],
];

function rowsOf(weight: Row[0], patterns: readonly RegExp[]): readonly Row[] {
  return patterns.map((pattern) => [weight, "nothing", pattern]);
}

function signalsOf(says: ReplyVerdict, rows: readonly Row[]): readonly ReplySignal[] {
  return rows.map(([weight, negated, pattern]) => ({ says, weight, negated, isOpening: false, pattern }));
}

function openingSignalsOf(says: ReplyVerdict, rows: readonly Row[]): readonly ReplySignal[] {
  return signalsOf(says, rows).map((signal) => ({
    ...signal,
    isOpening: true,
    pattern: new RegExp(`${LEAD}(?:${signal.pattern.source})`),
  }));
}

export const REPLY_SIGNALS: readonly ReplySignal[] = [
  ...signalsOf("agrees", AGREES),
  ...openingSignalsOf("agrees", OPENLY_AGREES),
  ...signalsOf("disagrees", [...DISAGREES, ...DECLINES, ...rowsOf(2, DECIDES), ...rowsOf(1, EXPLAINS)]),
  ...openingSignalsOf("disagrees", OPENLY_DISAGREES),
];
