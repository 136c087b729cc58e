// A file missing from the store: the reason at the asset names the kind of file.

import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { clip, png, tone, type Colour } from "../support/media/media.ts";
import {
  sharedScreen,
  problemOf,
  startAlone,
} from "../support/app/shared-screen.ts";
import { pdf } from "../support/media/pdfs.ts";

const red: Colour = [200, 40, 40];

const one = sharedScreen({ start: startAlone });

describe("a deleted file", () => {
  it("is reported as missing, whatever its kind: neither as damaged nor as an unsupported format", async () => {
    const { app } = one;
    const kinds = {
      image: png(red, 1280, 720),
      video: await clip({ colour: red, seconds: 1 }),
      audio: await tone(1),
      PDF: await pdf([{ colour: red }]),
    };
    for (const [noun, bytes] of Object.entries(kinds)) {
      const { asset_id: id } = await app.addFile(bytes, {
        ...{ name: noun, is_enabled: false },
        mimetype: noun === "image" || noun === "PDF" ? "image" : "video",
      });
      const hash = createHash("sha256").update(bytes).digest("hex");
      const filesFolder = path.join(
        app.dataDir,
        "files",
        "kept",
        hash.slice(0, 2),
      );
      await rm(path.join(filesFolder, hash));
      await app.change(id, { is_enabled: true });
      await expect
        .poll(() => problemOf(app, id))
        // Reported by the stage, which cannot open it, then by file verification.
        .toMatch(
          new RegExp(`file of this ${noun} is missing|file is missing from`),
        );
    }
  });
});
