// Files that cannot be deleted at once, as on Windows while another program has them open.

import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import {
  openFileStore,
  type FileStore,
} from "../../../../server/platform/files/file-store.ts";
import type { Apps } from "../../../../server/player/apps/apps.ts";
import { createUploads } from "../../../../server/player/files/uploads.ts";
import type { Library } from "../../../../server/player/library/library.ts";
import { temporaryFolder } from "../../../support/folder.ts";

class HeldByAnother extends Error {
  readonly code = "EBUSY";
}

/** A store whose files can be held, with uploads of which no row needs a file but those in `needed`. */
async function heldStore() {
  const real = await openFileStore(await temporaryFolder(), {
    reserveBytes: 0,
  });
  const held = new Set<string>();
  const needed = new Set<string>();
  const store: FileStore = {
    ...real,
    remove: async (hash) => {
      if (held.has(hash)) throw new HeldByAnother();
      await real.remove(hash);
    },
  };
  const uploads = createUploads({
    store,
    library: {
      file: (hash: string) => (needed.has(hash) ? {} : null),
      dropUploads: () => [],
    } as unknown as Library,
    apps: {} as Apps,
    now: Date.now,
    makeId: () => "",
    log: createLog({ toStandardOutput: false }),
    onJudged: () => undefined,
    maxBytes: 100,
  });
  const kept = async (text: string): Promise<string> => {
    const aside = await store.receive(Readable.from([Buffer.from(text)]), 100);
    await store.keep(aside);
    return aside.hash;
  };
  return { store, held, needed, uploads, kept };
}

describe("a file that another program has open", () => {
  it("[V2-688] is deleted with the next ones, and does not hold them up", async () => {
    const { store, held, uploads, kept } = await heldStore();
    const [one, two, three] = [
      await kept("one"),
      await kept("two"),
      await kept("three"),
    ];
    held.add(one);
    await uploads.forget([one, two]);
    expect([...(await store.list())].sort()).toEqual([one, three].sort());
    held.clear();
    await uploads.forget([three]);
    expect(await store.list()).toEqual([]);
  });

  it("[V2-688] stays when a row needs it again in the meantime", async () => {
    const { store, held, needed, uploads, kept } = await heldStore();
    const one = await kept("one");
    held.add(one);
    await uploads.forget([one]);
    held.clear();
    needed.add(one);
    await uploads.forget([]);
    expect(await store.list()).toEqual([one]);
    needed.clear();
    await uploads.forget([]);
    expect(await store.list()).toEqual([one]);
  });

  it("[V2-688] is deleted by the next sweep", async () => {
    const { store, held, uploads, kept } = await heldStore();
    const one = await kept("one");
    held.add(one);
    await uploads.sweep(0);
    expect(await store.list()).toEqual([one]);
    held.clear();
    await uploads.sweep(0);
    expect(await store.list()).toEqual([]);
  });
});
