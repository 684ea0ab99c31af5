/** Whether changed lines start, guard or cancel work that runs at the same time as other work. A signal means "look here", never "this is wrong". */
import type { ChangedFile } from "../change/change.ts";
import { isChangedLine } from "../change/readings.ts";

/** Longer lines are data, and the pattern needs no more. */
const MAX_LINE_CHARS = 500;

/** Names that have no other use in their languages. `await` alone isn't one: most code of some languages has it. */
const CONCURRENT =
  /\b(?:Promise\.(?:all|allSettled|any|race)|AbortController|AbortSignal|setInterval|setTimeout|SharedArrayBuffer|worker_threads|new Worker|Atomics|[Mm]utex|RWMutex|RwLock|[Ss]emaphore|WaitGroup|errgroup|sync\.Once|context\.With(?:Cancel|Deadline|Timeout)|go func|chan|asyncio\.\w{1,30}|threading\.\w{1,30}|multiprocessing|concurrent\.futures|tokio::\w{1,30}|thread::spawn|Arc<|synchronized|volatile|Atomic[A-Z]\w{1,30}|std::(?:atomic|thread|async)|CompletableFuture|ExecutorService|ReentrantLock|ConcurrentHashMap|CancellationToken(?:Source)?|Task\.(?:Run|WhenAll|WhenAny)|DispatchQueue|Concurrent::\w{1,30}|pthread_\w{1,30}|FOR UPDATE|pg_advisory_\w{1,30})/;

export function hasConcurrencySignal({ hunks }: Pick<ChangedFile, "hunks">): boolean {
  return hunks.some(({ lines }) =>
    lines.some((line) => isChangedLine(line) && CONCURRENT.test(line.slice(0, MAX_LINE_CHARS))),
  );
}
