// Checks an asynchronous property, and ends after its last run: at its time limit, fast-check leaves that one behind, which then
// writes into the database of the next test.

import fc from "fast-check";

export async function assertEnded<Values>(
  property: fc.IAsyncProperty<Values>,
  settings: fc.Parameters<Values>,
): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const run = property.run.bind(property);
  property.run = (...of) => {
    const running = run(...of);
    last = running;
    return running;
  };
  try {
    await fc.assert(property, settings);
  } finally {
    await last.catch(() => undefined);
  }
}
