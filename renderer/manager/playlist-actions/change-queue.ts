// Queue of changes, sent one after the other; of those about one topic that still wait, only the latest is sent.

export interface ChangeQueue<Input, Answer> {
  /** Runs once everything before it is done. */
  readonly take: <T>(act: () => Promise<T>) => Promise<T>;
  /** Throttles consecutive changes of one topic: sends the latest now and then, and at the end; all callers get that response. */
  readonly takeLatest: (topic: string, input: Input) => Promise<Answer>;
  /** Sends everything that is pending immediately. */
  readonly hurry: () => void;
  readonly isBusy: () => boolean;
}

export interface ChangeQueueClock {
  readonly now: () => number;
  /** The returned function ends the wait without a call. */
  readonly wait: (ms: number, done: () => void) => () => void;
}

interface Waiting<Input> {
  readonly topic: string;
  input: Input;
}

export function createChangeQueue<Input, Answer>(
  send: (input: Input) => Promise<Answer>,
  restMs: number,
  clock: ChangeQueueClock,
  join: (earlier: Input, later: Input) => Input = (_, later) => later,
): ChangeQueue<Input, Answer> {
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  let waiting: Waiting<Input> | null = null;
  let answer: Promise<Answer> | null = null;
  let answered = { topic: "", at: -Infinity };
  let endRest = (): void => undefined;

  function queue<T>(act: () => Promise<T>): Promise<T> {
    open += 1;
    const done = last.then(act).finally(() => {
      open -= 1;
    });
    last = done.catch(() => undefined);
    return done;
  }

  /** Pauses after a recent response, unless something else is queued behind it. */
  function rest(entry: Waiting<Input>): Promise<void> {
    const isNew = entry.topic !== answered.topic;
    const ms = answered.at + restMs - clock.now();
    return new Promise((resolve) => {
      if (isNew || ms <= 0 || waiting !== entry) {
        resolve();
        return;
      }
      const end = clock.wait(ms, resolve);
      endRest = () => {
        end();
        resolve();
      };
    });
  }

  async function sendLatest(entry: Waiting<Input>): Promise<Answer> {
    await rest(entry);
    // Later changes are separate changes.
    if (waiting === entry) waiting = null;
    try {
      return await send(entry.input);
    } finally {
      answered = { topic: entry.topic, at: clock.now() };
    }
  }

  /** Nothing joins the waiting entry any more, and nothing delays it. */
  function hurry(): void {
    waiting = null;
    endRest();
  }

  return {
    take: (act) => {
      hurry();
      return queue(act);
    },
    takeLatest: (topic, input) => {
      if (answer && waiting?.topic === topic) {
        waiting.input = join(waiting.input, input);
        return answer;
      }
      hurry();
      const entry: Waiting<Input> = { topic, input };
      waiting = entry;
      answer = queue(() => sendLatest(entry));
      return answer;
    },
    hurry,
    isBusy: () => open > 0,
  };
}
