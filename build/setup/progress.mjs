// Progress output: one line per step that does something, with its duration and outcome.

const out = process.stderr;

/**
 * Shows `title … done in 41 s` while `work` runs; the seconds update on a terminal, and rarely elsewhere.
 * `outcome` may describe a result that is neither success nor failure.
 */
export async function step(title, work, outcome = () => undefined) {
  const started = Date.now();
  const secondsSoFar = () => Math.round((Date.now() - started) / 1000);
  const draw = () => {
    if (out.isTTY) out.write(`\r\x1b[K${title} … ${secondsSoFar()} s`);
    else out.write(` ${secondsSoFar()} s …`);
  };

  out.write(`${title} …`);
  const ticking = setInterval(draw, out.isTTY ? 500 : 15_000);
  const finish = (how) => {
    clearInterval(ticking);
    if (out.isTTY) out.write(`\r\x1b[K${title} … ${how}\n`);
    else out.write(` ${how}\n`);
  };

  try {
    const result = await work();
    finish(outcome(result) ?? `done in ${secondsSoFar()} s`);
    return result;
  } catch (error) {
    finish(`failed after ${secondsSoFar()} s`);
    throw error;
  }
}

export function say(sentence) {
  out.write(`${sentence}\n`);
}

/** The set-up cannot continue; the message is a sentence for the user. */
export class SetupStopped extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Exit code for what this machine cannot do at all, whatever is installed. */
export const cannotRunHere = 3;
