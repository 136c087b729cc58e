// One video element, used for clip after clip: loaded, started, watched and let go.

export interface GlassListener {
  onEnded(): void;
  onFailed(reason: string): void;
}

export interface Video {
  readonly element: HTMLVideoElement;
  load(url: string, loop: boolean): Promise<void>;
  start(listener: GlassListener): void;
  rest(): void;
  release(): void;
}

/** A clip that stands still this long is not coming back. */
const stallMs = 5000;
const lookEveryMs = 1000;
/** The first frame is there with the data; where the compositor does not say so, it is not waited for. */
const firstFrameMs = 500;

export function createVideo(): Video {
  const element = document.createElement("video");
  element.playsInline = true;
  element.disablePictureInPicture = true;
  element.disableRemotePlayback = true;
  /** Ends the listeners of the clip before; an element is never without its next one for long. */
  let loaded = new AbortController();
  let stopWatching = (): void => undefined;

  async function load(url: string, loop: boolean): Promise<void> {
    loaded.abort();
    loaded = new AbortController();
    const { signal } = loaded;
    element.loop = loop;
    element.muted = false;
    element.preload = "auto";
    const canPlay = new Promise<void>((resolve, reject) => {
      const failed = () => reject(new Error(sentenceOf(element.error, url)));
      element.addEventListener("canplay", () => resolve(), { signal });
      element.addEventListener("error", failed, { signal });
    });
    const frame = firstFrame(element);
    element.src = url;
    element.load();
    await canPlay;
    if (element.videoWidth === 0) throw new Error("This video has no picture.");
    await frame;
  }

  function start(listener: GlassListener): void {
    const { signal } = loaded;
    let stoodStillMs = 0;
    let lastTime = -1;
    const timer = setInterval(() => {
      if (element.ended) return;
      stoodStillMs =
        element.currentTime === lastTime ? stoodStillMs + lookEveryMs : 0;
      lastTime = element.currentTime;
      if (stoodStillMs >= stallMs) fail("The video stopped and did not go on.");
      // Media keys and the system can pause what nobody here asked to.
      else if (element.paused) void play(element).catch(() => undefined);
    }, lookEveryMs);
    stopWatching = () => clearInterval(timer);
    const fail = (reason: string) => {
      stopWatching();
      listener.onFailed(reason);
    };
    const failed = () => fail(sentenceOf(element.error, element.src));
    const ended = () => {
      stopWatching();
      listener.onEnded();
    };
    element.addEventListener("error", failed, { signal });
    element.addEventListener("ended", ended, { signal });
    play(element).catch(() => {
      if (!signal.aborted) fail("The video would not start.");
    });
  }

  function rest(): void {
    stopWatching();
    loaded.abort();
    element.pause();
  }

  function release(): void {
    rest();
    if (!element.hasAttribute("src")) return;
    element.removeAttribute("src");
    // Only this makes Chromium let go of the decoder and its buffers.
    element.load();
  }

  return { element, load, start, rest, release };
}

/** With sound; without it where that is refused. */
async function play(element: HTMLVideoElement): Promise<void> {
  try {
    await element.play();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "NotAllowedError"))
      throw error;
    element.muted = true;
    await element.play();
  }
}

function firstFrame(element: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    element.requestVideoFrameCallback(() => resolve());
    element.addEventListener(
      "canplay",
      () => setTimeout(resolve, firstFrameMs),
      { once: true },
    );
  });
}

function sentenceOf(error: MediaError | null, url: string): string {
  const isRemote = !url.startsWith("asset:");
  if (error?.code === MediaError.MEDIA_ERR_DECODE)
    return "This video cannot be decoded.";
  if (error?.code === MediaError.MEDIA_ERR_NETWORK)
    return isRemote
      ? "This video could not be loaded from its address."
      : "This video could not be read.";
  return isRemote
    ? "This video could not be loaded from its address, or cannot be played."
    : "This video's format cannot be played.";
}
