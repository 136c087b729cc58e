// The asset cache equals the stored assets after any write.

import { expect, it } from "vitest";
import {
  migrateSqlite,
  openSqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import { createTrash } from "../../../../server/player/assets/trash.ts";
import { createLibrary } from "../../../../server/player/library/library.ts";
import { playerMigrations } from "../../../../server/player/migrations.ts";
import { createPlaylists } from "../../../../server/player/playlists/playlists.ts";
import { drawing } from "../../../support/database/damage.ts";

const sequences = 12;
const actions = 60;

it.each(Array.from({ length: sequences }, (_, place) => place + 1))(
  "[V2-280] caches the assets as stored, in order, after any write (seed %i)",
  (seed) => {
    const upTo = drawing(seed);
    const isDrawn = (percent: number): boolean => upTo(100) < percent;
    const database = openSqlite(":memory:");
    migrateSqlite(database, playerMigrations);
    let createdCount = 0;
    const makeId = (): string => String((createdCount += 1)).padStart(32, "0");
    const options = { database, makeId, now: () => 0 };
    const library = createLibrary(options);
    const playlists = createPlaylists(options);
    const trash = createTrash({
      ...{ database, library, playlists, now: () => 0 },
      uploads: { forget: () => Promise.resolve() } as never,
    });
    const oneOf = <Value>(values: readonly Value[]): Value | undefined =>
      values[upTo(values.length)];
    const file = (hash: number) => ({
      ...{ hash: String(hash).padStart(64, "0"), sizeBytes: 1 },
      ...{ type: "image/png", lengthSeconds: null },
      problem: isDrawn(30) ? "It is torn." : null,
    });
    const isProcessing = (): boolean => isDrawn(50);
    const draft = () => ({
      ...{ name: `n${upTo(5)}`, uri: `https://example.org/${upTo(3)}` },
      ...{ mimetype: "image", startsAt: 0, endsAt: 1, durationSeconds: 1 },
      ...{ isEnabled: true, isProcessing: isProcessing() },
      ...(isDrawn(30) && { playOrder: upTo(5) }),
    });
    const any = (): { id: string; uri: string } | undefined =>
      oneOf(library.assets());
    const acts: readonly (() => unknown)[] = [
      () => library.create(draft()),
      () => library.create(draft()),
      () => {
        library.addUpload("a".repeat(32), file(upTo(3)));
        library.create({ ...draft(), uri: `upload:${"a".repeat(32)}` });
      },
      () => {
        const one = any();
        if (one) library.change(one.id, { durationSeconds: upTo(9) });
      },
      () => {
        const one = any();
        if (one) library.change(one.id, { playOrder: upTo(5) });
      },
      () => {
        const one = any();
        const source = { uri: `https://example.org/${upTo(3)}` };
        if (one)
          library.replaceSource(one.id, {
            ...{ ...source, isProcessing: isProcessing() },
          });
      },
      () => {
        const one = any();
        if (one) library.attachFile(one, file(upTo(3)));
      },
      () => {
        const one = any();
        if (one) library.endProcessing(one, "It did not come.");
      },
      () => {
        const one = any();
        if (one) library.setProblem(one.id, isDrawn(50) ? "Torn." : null);
      },
      () => {
        const one = any();
        if (one) library.remove(one.id);
      },
      () => {
        const ids = [any(), any()].flatMap((one) => (one ? [one.id] : []));
        if (ids.length > 0) trash.put({ assetIds: ids, playlistIds: [] });
      },
      () => {
        const entry = oneOf(trash.entries());
        if (entry) trash.restore({ assetIds: [entry.id], playlistIds: [] });
      },
      () => library.order([any(), any()].flatMap((one) => one?.id ?? [])),
    ];
    for (let action = 0; action < actions; action += 1) {
      oneOf(acts)?.();
      expect(library.assets()).toEqual(createLibrary(options).assets());
    }
    database.close();
  },
);
