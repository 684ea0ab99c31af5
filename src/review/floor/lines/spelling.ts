/**
 * Finds the English word that a misspelled one stands for. It knows only words in the lists below, so a name, an
 * abbreviation or a rare word is never called wrong unless it's one slip from a long common word.
 */

/** Shorter words have too many neighbors: only two swapped letters or a letter too many of the same kind count in them. */
const MIN_LONG_CHARS = 8;

/** Common words of comments and documentation. Forms with a usual ending are recognized. */
const WORDS = `
  ability aborted aborting absence absolute abstract accept acceptable acceptance access accessible accessor
  accidentally accomplish according account accumulate accurate achieve acquire acquisition across action activate
  active activity actual adapted adapter adaptive addition additional additive address adjacent adjust advance
  advantage advisories advisory affect afterwards against aggregate aggressive agreement algorithm aliases aligned
  alignment allocate allocation allowed allowing alongside already alternate alternative although altogether always
  ambiguous amount analog analysis analytics analyze ancestor annotate annotation announce anonymous another answer
  anymore anything anywhere apparent appear appearance append applicable application applied applies applying approach
  appropriate approval approved approximate arbitrary architecture archive argument around article artifact ascending
  asking assert assertion assign assignment associated assumed assumes assuming assumption asynchronous attach
  attachment attacks attempt attention attribute attribution authentic authenticated authentication authority
  authorization authorized authors automated automatic automatically availability available average avoiding
  background backoff backslash backtrace backward baseline basename basically batches beautiful because become before
  beginning behavior behind believe belong benchmark beneficial benefit between binaries binary binding blocked
  blocking boilerplate boolean bootstrap bottom boundaries boundary bounded bracket branch breaking broadcast browser
  buffer builder building builtin bundled business button bypass caching calculate calendar callable callback callers
  calling cancel cancellation cancelled candidate cannot canonical capabilities capacity capital capture careful
  carried carries carrying cascade casting categories category causing central certain certificate chaining challenge
  change changelog channel character characteristic checked checking checkout checkpoint checksum children choose
  chosen chronological circular circumstance classes classic classification cleanup cleared clearing client closing
  closure cluster coefficient coherent collapse colleague collect collection collector collision column combination
  combine command comment commit committee common communication community compact comparable compare comparison
  compatibility compatible compilation compile complement complete completion complex complexity compliance compliant
  component compose comprehensive compress compression compute concatenate concept concern concise concrete
  concurrency concurrent condition conditional conduct confident configurable configuration configure confirm conflict
  conjunction connect connection connectivity conscious consecutive consequence consider consist consistency
  consistent console constant constraint construct construction constructor consume contact contain content context
  contiguous continue continuous contract contrast contribute contribution contributor control controlled controller
  convenience convenient convention conversion convert cookies coordinate copying copyright correct correspond corrupt
  counted counter counting country coverage covered created creates creating creation creator credential criteria
  critical current custom customize dangerous dashboard database debugging decided decimal decision declaration
  declare decoded decoding decorated decrement dedicated default deferred define definitely definition delegate
  deleted deletes deleting deletion deliberate delimit deliver delivery demonstrate denominator depend dependencies
  dependency dependent deploy deployment deprecated deprecation derived descend descendant describe description
  descriptor deserialization deserialize design designated desired desktop destination destroy destructor detail
  detect detection determine deterministic develop development deviation device dialog dictionary differ difference
  different difficult dimension direct direction directive director directories directory disable disallow disappear
  discard disclaimer disclosure disconnect discord discover discovery discussion dispatch display distance distinct
  distinction distinguish distribute distribution document documentation domain download downstream dropped dropping
  duplicate duration dynamic dynamically earlier easier easily ecosystem effect effective efficient either elapsed
  element ellipsis elsewhere embedded embedding emitted emitting enabled enables enabling encoded encoding encounter
  encrypt encryption endpoint enforce enforcement engine english enhanced enough ensures ensuring entered enterprise
  entirely entities entries enumerable environment ephemeral equality equivalent escape especially essential establish
  evaluate evaluation eventually everyone everything everywhere evidence exactly example exceed except exception
  excerpt excessive exchange exclude exclusion exclusive executable execute execution exercise exhaust existence
  existent existing exists expanded expansion expect expectation expensive experience experiment experimental
  expiration expired expires explain explanation explicit exponential export exposed exposes exposing express
  expression extend extensible extension external extract extraction extraneous extremely factory failed failing
  failure fallback falling familiar favorite feature feedback fetching filename filesystem filter finally finish
  fixture flatten focused folder follow forbidden foreign format formatted formatter formatting forward foundation
  fraction fragment framework frequency frequently friend frontend fulfill function functional functionality further
  furthermore future garbage general generate generation generator generic getting global governed governing graceful
  gradient gradually grammar granted greater grouped grouping guarantee guidance guideline handled handler handles
  handling handshake happen harass hardware header heading height helper helpful hexadecimal hierarchy highest
  highlight history holding horizontal however hyphen idempotent identical identified identifier identifies identify
  identity ignore immediate immutable impact implement implementation implicit implied implies import important
  impossible improve improvement inaccessible inactive incident include inclusion inclusive incoming incompatible
  incomplete inconsistent incorrect increase increment incremental indent indentation independent indexed indexes
  indicate indices indirect individual inefficient inference inferred inferring infinite infinity influence
  information infrastructure inherit inheritance initial initialization initialize inject injection inline insensitive
  insert insertion inside inspect inspired install installation instance instantaneous instantiate instantiation
  instead institution instruction instrument insufficient integer integrate integration integrity intended intention
  intentional interact interaction interactive intercept interest interface interfere intermediate intermittent
  internal internet interpret interrupt intersect intersection interval introduce introduction invalid invariant
  invisible invocation invoked invoking involved irrelevant irreversible isolated isolation iterate iteration iterator
  itself javascript judgment keeping keyboard keyword knowledge kubernetes language latency latest launch layout
  leading learning leaving legitimate length libraries library license lifecycle lifetime lightweight likely
  limitation limited linear listen listing literal little loading locale locally located location logging logical
  longer looking lookup lowercase machine maintain maintenance malformed malicious managed management manager managing
  mandatory manifest manually mapping markdown matched matcher matches matching material matters maximum meaning
  meaningful meanwhile measure measurement mechanism member mention merging message metadata method metrics middleware
  migrate migration millennium millisecond minimal minimum minutes mirrors miscellaneous mismatch missing mistake
  mnemonic modification modified modifier modifies modifying module monitor mounted multiple multiplication mutable
  mutation mutual namespace native natural navigate navigation necessarily necessary needing negative neighbor
  neighbour neither nested nesting network newline nonexistent noninteractive normal normalize notation nothing
  notification notified nullable number numeric object observed obsolete obtain obvious occasion occasionally occupied
  occurred occurrence occurring occurs official offline offset omitted omitting opening operating operation operator
  opposite optimal optimistic optimization optimize option optional ordered ordering ordinary organization orient
  original orphan otherwise ourselves outcome outline output outside overall overflow overhead overlap overlapping
  overload overridden override overview overwrite overwritten ownership package packet padding pagination paragraph
  parallel parameter parent parentheses parsing partial particular partition passing password patience pattern payload
  peculiar pending percent percentage perform performance period periodic periodically permanent permission permitted
  permitting permutation persist persistence persistent personal persons phenomenon physical picture pipeline
  placeholder placement platform please pointer pointing policies popular populate portable portion position
  positional positive possess possession possibility possible possibly posting potential powerful practical practice
  precedence preceding precision precompute predecessor predefined predicate preference preferred preferring prefix
  prepare prepend preprocessor prerequisites presence present preserve pretty prevent preview previous primarily
  primary primitive principal printed printing priority privacy private probability probably problem procedure proceed
  process processor produce product production professional profile program programmatic programmatically programmer
  progress project prolong promise prompt propagate propagation proper properties property proportion proposal
  proposed protect protection protocol prototype provide provision proxies pseudo public publish pulling purpose
  pushing qualified quality queries question quickly raising random rather reachable reached reaches readability
  readable readers reading realistic really reason reasonable reassign rebuild receipt receive recent recognize
  recommend recommendation reconnect reconstruct record recover recovery recurrence recurring recurse recursion
  recursive redirect reduced reducing redundant reference referral referred referring reflect refresh regard
  regardless regions register registration registry regression regular reject rejection related relation relationship
  relative release relevant reliable reload relying remain remainder remember removal removed removes removing renamed
  render repeat replace replacement replica report repositories repository represent representation representative
  reproduce reproduction request require requirement reservation reserved resolution resolve resource respect
  respective respond response responsibility responsible restart restore restrict restriction result retain retention
  retries retrieval retrieve retrying return reusable reverse review revision revocation rewrite rewritten rigorous
  robust routine routing running runtime safely safety sample sandbox sanitize satisfied satisfies satisfy scanning
  scenario schedule schema scratch scripts search second secondary secrets section security segment select selection
  selector semantic semantically semicolon sending sensitive sentence sentinel separate separator sequence sequential
  serialization serialize server service serving session setting several severity shadow sharing shipped shortcut
  shorthand should showing shutdown sibling signal signature significant signing silence silently similar similarity
  simpler simplicity simplified simplify simulate simultaneous single singleton situation skeleton skipped skipping
  slightly smaller smooth snapshot snippet software solution someone something sometimes somewhat somewhere
  sophisticated sorting source spacing special specific specifically specification specified specifies specify
  spelling splitting standard started starting startup statement static statistic status stopped stopping storage
  storing straight straightforward strategies strategy stream strength strict string stripped strongly struct
  structure subclass subdirectory subject sublicense submission submit submitted submitting subnet subscribe
  subscription subsequent substantial substitute substring subtract succeed success successful successive successor
  sufficient suggest suggestion suitable summary superfluous supplement supplied support supposed suppress suppression
  surface surround survey survive suspend suspicious switch symbol symmetric synchronization synchronous syntax system
  target teardown technical technique template temporarily temporary tenant terminal terminate termination testing
  themselves therefore though thought thread threshold through throughout throughput throwing thumbnail timeout
  timestamp together toggle tolerance tomorrow towards traceback tracing tracked tracker tracking traditional traffic
  trailing transact transaction transfer transferred transferring transform transformation transient transition
  translate translation transmission transmit transparent transport traversal traverse treated triangle trigger
  trimmed trivial truncate truncation trusted tutorial twitter typescript typical ultimately unambiguous
  unauthenticated unauthorized unavailable unbounded unchanged unchecked undefined underlying underneath underscore
  understand undesirable unexpected unfortunately unhandled uninitialized unique uniqueness universal unknown unless
  unlike unlimited unnecessary unreachable unrecognized unrelated unreleased unresolved unsafe unsigned unspecified
  unsubscribe unsuccessful unsupported untouched untrusted unused unwanted update upgrade upload uppercase upstream
  useful useless usually utilities utility vacuum validate validation validity variable variant various vector vehicle
  verbatim verbose verification verified verifies verify versatile version vertical vertices viewport violation
  virtual visibility visible volatile volume vulnerabilities vulnerability waiting warning webhooks weight welcome
  whatever whenever whereas wherever whether whichever whitespace wildcard window within without worker workflow
  working workspace wrapped wrapper wrapping writable writing written yourself
`;

/** Correct words that are one slip from one of the above. */
const NEIGHBORS = `
  multiply backtrack concert splatting overheard nillable impalement selectin programm dependences alterative deration mattress execed
  abstrict addiction addictive adoptive allocatee antonymous appling artefact backlash behaviour blacking bootstrapped
  bootstrapper bootstrapping braking branchless brunches cancelation canceled canceling categorise categorize
  checksummed checksumming chining chucking clearwing collusion coloured committed committer committing compactible
  compadre compere compete complaint complied complier complies compliment composted concerted confidant constrain
  constrict constriction constrictor crating cremating cremation currying datatime deciding deigned delegatee
  dependant depleting depletion depreciate depreciation descendent descried descries despatch dripping ensuing eternal
  exchangee exciting excusive exiting exorcise expansive expended experted expiation faction fallowed fallowing
  faltered faltering favourite filtre finises finnish fletching focussed friction fronted froward fullback groping
  handing hardwired imparted imparting impassible indexer indicted initializr insolation instillation internetted
  judgement leaning licensee marshall massage memorize messuage minuets multipole nutation overlaid overlay overrode
  overwrote painting parallelled parallelling passible perpend pervious polices potable potion praesent predicted
  predicting preform premise prevision principle protocolled readding recoded recoding recordid registrar regrading
  remainer reminder requestid resilver resoled resolver retired retires retrained retuned retying reuseable reveres
  sanities schemars selling sentience sightly singing sipping slitting snapshotted snapshotter snapshotting sopping
  spilling spitting sporting staring startid startling stating steaming stepping stimulate strapped stricture striped
  stropped suppled swatches tacking tailing thorough timedout transect transit transmitted transmitter transmitting
  treading tricking trucking typoscript unbonded underlaying underling unhanded unsinged unwonted versification
  vortical vortices writeable
`;

/** Frequent misspellings of short words, and those with two slips. */
const PAIRS = `
  formated=formatted formating=formatting formater=formatter commited=committed commiting=committing submited=submitted submiting=submitting
  transfered=transferred transfering=transferring permited=permitted emited=emitted emiting=emitting omited=omitted wraped=wrapped wraper=wrapper
  stoped=stopped droped=dropped runing=running geting=getting seting=setting begining=beginning programing=programming actuall=actually abscence=absence absense=absence accross=across acommodate=accommodate accomodate=accommodate acess=access
  adress=address agian=again aleady=already allready=already allways=always alot=a_lot ammount=amount
  amout=amount aquire=acquire arround=around atempt=attempt auxillary=auxiliary auxilary=auxiliary becase=because
  beetween=between befor=before beggining=beginning beleive=believe betwen=between choosen=chosen collegue=colleague
  comming=coming compatability=compatibility completly=completely conain=contain concious=conscious contol=control
  convienient=convenient curent=current curently=currently currenty=currently decend=descend defaut=default
  deault=default definately=definitely definetly=definitely delimeter=delimiter depricated=deprecated
  desciption=description develope=develop devide=divide diplay=display dissapear=disappear documention=documentation
  doens't=doesn't dosen't=doesn't dosn't=doesn't eachother=each_other elment=element embeded=embedded enought=enough
  exaclty=exactly excercise=exercise exisiting=existing existance=existence exlude=exclude expecially=especially
  explicitely=explicitly explicity=explicitly exteral=external extention=extension failiure=failure finaly=finally
  forseen=foreseen foward=forward fullfill=fulfill futher=further gaurantee=guarantee garantee=guarantee
  genereate=generate grammer=grammar guarentee=guarantee heirarchy=hierarchy heirarchical=hierarchical hte=the
  identation=indentation immediatly=immediately implicitely=implicitly incase=in_case inital=initial
  initalize=initialize insted=instead intead=instead intial=initial intially=initially interupt=interrupt
  invokation=invocation ist's=it's knowlege=knowledge langauge=language lenght=length libary=library libarry=library
  maintainance=maintenance maintainence=maintenance maintenence=maintenance manualy=manually messsage=message
  mesage=message mispelled=misspelled mispell=misspell neccesary=necessary neccessary=necessary necesary=necessary
  noticable=noticeable occassion=occasion occurance=occurrence occure=occur ocurrence=occurrence ommit=omit
  ommited=omitted ommitted=omitted optionaly=optionally orginal=original ouput=output overiden=overridden
  packge=package paralell=parallel paramater=parameter particulary=particularly peform=perform perfom=perform
  persistant=persistent plase=please posible=possible potentialy=potentially prefered=preferred presense=presence
  previosly=previously priviledge=privilege privelege=privilege proccess=process propogate=propagate pseduo=pseudo
  psuedo=pseudo publically=publicly reciept=receipt recomend=recommend reccomend=recommend recive=receive
  refering=referring refered=referred relevent=relevant reponse=response responce=response resouce=resource
  ressource=resource retreive=retrieve retrive=retrieve retrun=return retun=return seperate=separate
  seperately=separately seperator=separator shoud=should shoudn't=shouldn't similiar=similar sofware=software
  specifiy=specify statment=statement subsequenty=subsequently succesful=successful succesfull=successful
  successfull=successful successfuly=successfully succesfuly=successfully suceed=succeed succed=succeed sucess=success
  sucessful=successful sucessfuly=successfully sufficent=sufficient suport=support suposed=supposed supress=suppress
  surpress=suppress suprise=surprise suprising=surprising sytem=system teh=the thier=their threshhold=threshold
  throught=through tranfer=transfer truely=truly truley=truly unecessary=unnecessary uneccessary=unnecessary
  unneccesary=unnecessary unkown=unknown unnecesary=unnecessary untill=until useage=usage usefull=useful
  usally=usually usualy=usually varient=variant verfiy=verify verfy=verify wheras=whereas wether=whether
  wheter=whether wich=which wierd=weird wiht=with withing=within writen=written yeild=yield
`;

const ENDINGS = ["s", "es", "d", "ed", "ing", "ly", "r", "er", "rs", "ers"];
const VOWELS = ["a", "e", "i", "o", "u"];

type Dictionary = {
  readonly words: ReadonlySet<string>;
  readonly correct: ReadonlySet<string>;
  readonly pairs: ReadonlyMap<string, string>;
  /** A long word without one of its inner letters → the word, or null when two words have that form. */
  readonly shortened: ReadonlyMap<string, string | null>;
};

let remembered: Dictionary | null = null;

function dictionary(): Dictionary {
  if (remembered !== null) return remembered;
  const words = new Set(WORDS.trim().split(/\s+/));
  const pairs = PAIRS.trim()
    .split(/\s+/)
    .map((pair) => pair.replaceAll("_", " ").split("="));
  const shortened = new Map<string, string | null>();
  for (const word of words) {
    if (word.length < MIN_LONG_CHARS) continue;
    for (let at = 1; at < word.length - 1; at++) {
      const short = without(word, at);
      // "transation" may be two words.
      shortened.set(short, shortened.has(short) && shortened.get(short) !== word ? null : word);
    }
  }
  remembered = {
    words,
    correct: new Set([...words, ...NEIGHBORS.trim().split(/\s+/)]),
    pairs: new Map(pairs.map(([wrong = "", right = ""]) => [wrong, right])),
    shortened,
  };
  return remembered;
}

/** Shorter words are only in the table of pairs. */
const MIN_CHARS = 6;

/** The correct spelling of a word in lower case; null when the word isn't known to be wrong. */
export function spellingOf(word: string): string | null {
  const { pairs, correct } = dictionary();
  const known = pairs.get(word);
  if (known !== undefined || word.length < MIN_CHARS) return known ?? null;
  const forms: readonly Form[] = [
    { stem: word, ending: "", cut: "" },
    ...ENDINGS.flatMap((ending) => stemsOf(word, ending)),
  ];
  if (forms.some(({ stem }) => correct.has(stem)) || baseForms(word).some((base) => correct.has(base)))
    return null;
  for (const { stem, ending, cut } of forms) {
    const right = pairs.get(stem) ?? rightStem(stem);
    if (right === null) continue;
    const isAfterE = ending === "d" || ending === "r" || ending === "rs" || cut === "e";
    if (!isAfterE) return right + ending;
    if (right.endsWith("e")) return right.slice(0, right.length - cut.length) + ending;
  }
  return null;
}

/** `cut`: the letter that the stem loses before the ending. */
type Form = { readonly stem: string; readonly ending: string; readonly cut: "" | "e" };

function stemsOf(word: string, ending: string): readonly Form[] {
  if (!word.endsWith(ending)) return [];
  const stem = word.slice(0, -ending.length);
  return [
    { stem, ending, cut: "" },
    ...(ending === "ing" ? [{ stem: `${stem}e`, ending, cut: "e" as const }] : []),
  ];
}

const DERIVED =
  /^([a-z]+?)(?:ed|ing|er|ers|or|ors|able|al|ally|ion|ions|ment|ments|ive|ness|less|ful|able|ibility|ability|ance|ity)$/;
const FROM_Y = /^([a-z]+?)(?:ies|ied|ier|iers|iest|ily|iness)$/;

/** Words that a correct word may be derived from: "programming" from "program", "verifier" from "verify". */
function baseForms(word: string): readonly string[] {
  const stem = DERIVED.exec(word)?.[1];
  const beforeY = FROM_Y.exec(word)?.[1];
  const bases = beforeY === undefined ? [] : [`${beforeY}y`];
  if (stem === undefined) return bases;
  const isDoubled = stem.at(-1) === stem.at(-2);
  return [...bases, stem, `${stem}e`, ...(isDoubled ? [stem.slice(0, -1)] : [])];
}

function rightStem(stem: string): string | null {
  const { words, shortened } = dictionary();
  const known = shortened.get(stem);
  if (known !== undefined) return known;
  for (let at = 1; at < stem.length - 1; at++) {
    const found = slipsAt(stem, at).find((one) => words.has(one));
    if (found !== undefined) return found;
  }
  return null;
}

/** The words that a slip at one letter may stand for. */
function slipsAt(stem: string, at: number): readonly string[] {
  const letter = stem[at] ?? "";
  const next = stem[at + 1] ?? "";
  const swapped = `${stem.slice(0, at)}${next}${letter}${stem.slice(at + 2)}`;
  const dropped = without(stem, at);
  if (stem.length < MIN_LONG_CHARS)
    return letter === next || letter === stem[at - 1] ? [swapped, dropped] : [swapped];
  // The vowel before a last letter tells foreign forms apart, such as a plural.
  const vowels = VOWELS.includes(letter) && at < stem.length - 2 ? VOWELS : [];
  return [
    swapped,
    ...(dropped.length >= MIN_LONG_CHARS || letter === next || letter === stem[at - 1] ? [dropped] : []),
    ...vowels.map((vowel) => `${stem.slice(0, at)}${vowel}${stem.slice(at + 1)}`),
  ];
}

function without(word: string, at: number): string {
  return word.slice(0, at) + word.slice(at + 1);
}
