// Changes sent one after the other; of those about one topic that still wait, only the latest.

export interface ChangeQueue<Wish, Answer> {
  /** Once everything before it is done. */
  readonly take: <T>(act: () => Promise<T>) => Promise<T>;
  /** While a hand goes on about one topic, what it wishes is sent once in a while, and at last; all get that answer. */
  readonly takeLatest: (topic: string, wish: Wish) => Promise<Answer>;
  /** Whatever rests is sent at once. */
  readonly hurry: () => void;
  readonly isBusy: () => boolean;
}

export interface ChangeQueueClock {
  readonly now: () => number;
  /** The answer ends the wait without a call. */
  readonly wait: (ms: number, done: () => void) => () => void;
}

interface Waiting<Wish> {
  readonly topic: string;
  wish: Wish;
}

export function createChangeQueue<Wish, Answer>(
  send: (wish: Wish) => Promise<Answer>,
  restMs: number,
  clock: ChangeQueueClock,
  join: (earlier: Wish, later: Wish) => Wish = (_, later) => later,
): ChangeQueue<Wish, Answer> {
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  let waiting: Waiting<Wish> | null = null;
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

  /** What was answered a moment ago is not followed at once, unless somebody waits behind it. */
  function rest(own: Waiting<Wish>): Promise<void> {
    const isNew = own.topic !== answered.topic;
    const ms = answered.at + restMs - clock.now();
    return new Promise((resolve) => {
      if (isNew || ms <= 0 || waiting !== own) {
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

  async function sendLatest(own: Waiting<Wish>): Promise<Answer> {
    await rest(own);
    // What comes from now on is a change of its own.
    if (waiting === own) waiting = null;
    try {
      return await send(own.wish);
    } finally {
      answered = { topic: own.topic, at: clock.now() };
    }
  }

  /** Nothing joins what waits now, and nothing keeps it. */
  function hurry(): void {
    waiting = null;
    endRest();
  }

  return {
    take: (act) => {
      hurry();
      return queue(act);
    },
    takeLatest: (topic, wish) => {
      if (answer && waiting?.topic === topic) {
        waiting.wish = join(waiting.wish, wish);
        return answer;
      }
      hurry();
      const own: Waiting<Wish> = { topic, wish };
      waiting = own;
      answer = queue(() => sendLatest(own));
      return answer;
    },
    hurry,
    isBusy: () => open > 0,
  };
}
