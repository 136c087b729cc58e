// Files that crash, hang or slow down the process that reads them: their own assets fail, without affecting others.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  forkMediaScript,
  startMediaProcessesBy,
} from "../../../../server/platform/media/start-media-process.ts";
import { waitUntilProcessed } from "../../../support/content/ingest-asset.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import { pdf } from "../../../support/media/pdfs.ts";
import {
  clientAt,
  serveContent,
  startContent,
  type ContentClient,
} from "../../../support/content/start-content.ts";
import { requestEnd } from "../../../support/machine/request-end.ts";

const realScript = new URL(
  "../../../../server/platform/media/media-process.ts",
  import.meta.url,
);

/** Like the real process, except that a file with "bomb" in it does this to it; returns how many were started. */
async function withBombs(action: string): Promise<() => number> {
  const script = path.join(await temporaryFolder(), "child.mjs");
  await writeFile(
    script,
    `import { existsSync, readFileSync, writeFileSync } from "node:fs";
    import ${JSON.stringify(realScript.href)};
    process.prependListener("message", ({ file, pages }) => {
      if (file && readFileSync(file).includes("bomb")) { ${action} }
    });`,
  );
  let started = 0;
  startMediaProcessesBy(() => {
    started += 1;
    return forkMediaScript(pathToFileURL(script));
  });
  onTestFinished(() =>
    startMediaProcessesBy(() => forkMediaScript(realScript)),
  );
  return () => started;
}

const bomb = (number: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- bomb ${number} --><path d="M0 0h9v9"/></svg>`,
  );

const pdfBomb = async (): Promise<Buffer> =>
  Buffer.concat([await pdf([{ colour: [9, 9, 9] }]), Buffer.from("% bomb")]);

async function uploaded(
  client: ContentClient,
  bytes: Buffer,
  title: string,
): Promise<string> {
  const answer = await client.upload(bytes, { title });
  expect(answer.status).toBe(201);
  const [{ id }] = (await answer.json()) as [{ id: string }];
  return id;
}

eachContent(({ ground, start }) => {
  it("[V4-307] a file that crashes its reader process fails with its reason, once, and not again after a restart", async () => {
    const started = await withBombs("process.exit(134);");
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, { databaseUrl });
    const id = await uploaded(content, bomb(1), "Bomb");
    expect(await waitUntilProcessed(content, id)).toMatchObject({
      status: "error",
      processing_error: expect.stringMatching(/./) as string,
    });
    const tries = started();
    expect(tries).toBeLessThanOrEqual(2);
    await content.stop();
    const again = await startContent(dataDir, { databaseUrl });
    const other = await uploaded(again, png([1, 2, 3]), "Image");
    expect((await waitUntilProcessed(again, other))["status"]).toBe("finished");
    expect((await waitUntilProcessed(again, id))["status"]).toBe("error");
  });

  it("[V4-307] a file whose reader is killed from outside is ingested by the next one, and so are all pages of a PDF", async () => {
    const mark = JSON.stringify(path.join(await temporaryFolder(), "mark"));
    const onlyOnce = (what: string): string =>
      `if (!existsSync(${mark} + "${what}")) { writeFileSync(${mark} + "${what}", ""); process.kill(process.pid, "SIGKILL"); }`;
    const started = await withBombs(
      onlyOnce("file") + `if (pages) ${onlyOnce("pages")}`,
    );
    const content = await start();
    const id = await uploaded(content, bomb(1), "Drawing");
    expect((await waitUntilProcessed(content, id))["status"]).toBe("finished");
    expect(started()).toBe(2);
    const complete = await pdf([{ colour: [1, 2, 3] }, { colour: [4, 5, 6] }]);
    const other = await uploaded(
      content,
      Buffer.concat([complete, Buffer.from("% bomb")]),
      "Pages",
    );
    expect((await waitUntilProcessed(content, other))["status"]).toBe(
      "finished",
    );
    expect(
      await content.rows(
        "/v4.1/assets?type=eq.pdf-page&select=pdf_page_number&order=id",
      ),
    ).toEqual([{ pdf_page_number: 1 }, { pdf_page_number: 2 }]);
  });

  it("[V4-307] files that hang their readers block no upload, download or ingest", async () => {
    await withBombs("for (;;);");
    const content = await start();
    const many = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) =>
        uploaded(content, bomb(number), `Bomb ${number}`),
      ),
    );
    await expect
      .poll(() => content.rows("/v4/assets?status=eq.processing&select=id"))
      .not.toEqual([]);
    const key = await content.keys.add({ name: "other", team: "Other" });
    const other = clientAt(content.address, key);
    const id = await uploaded(other, png([1, 2, 3]), "Image");
    const row = await waitUntilProcessed(other, id);
    expect(row["status"]).toBe("finished");
    expect((await fetch(String(row["asset_url"]))).status).toBe(200);
    expect((await fetch(`${content.address}/health`)).status).toBe(200);
    const left = await content.rows(
      "/v4/assets?status=not.in.(finished,error)&select=id",
    );
    expect(left.length).toBeGreaterThan(many.length / 2);
  });
});

eachContent(({ ground, start }) => {
  it("[V4-316] a PDF that crashes the process that splits it fails with its reason, and the next one is split", async () => {
    await withBombs("if (pages) process.exit(134);");
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, { databaseUrl });
    const id = await uploaded(content, await pdfBomb(), "Bomb");
    expect(await waitUntilProcessed(content, id)).toMatchObject({
      ...{ status: "error", type: null },
      processing_error: expect.stringContaining("damaged") as string,
    });
    const complete = await pdf([{ colour: [1, 2, 3] }, { colour: [4, 5, 6] }]);
    const other = await uploaded(content, complete, "Pages");
    expect((await waitUntilProcessed(content, other))["status"]).toBe(
      "finished",
    );
    expect(
      await content.rows(
        "/v4.1/assets?type=eq.pdf-page&select=pdf_asset_id&order=id",
      ),
    ).toEqual([{ pdf_asset_id: other }, { pdf_asset_id: other }]);
    await content.stop();
    const again = await startContent(dataDir, { databaseUrl });
    const row = await uploaded(again, png([1, 2, 3]), "Image");
    expect((await waitUntilProcessed(again, row))["status"]).toBe("finished");
    expect((await waitUntilProcessed(again, id))["status"]).toBe("error");
  });

  it("[V4-316] PDFs that hang the process that splits them block no response and no ingest", async () => {
    await withBombs("if (pages) for (;;);");
    const content = await start();
    // Each ends after three quarters of a minute, two at a time: on a slow machine some may be over before the picture is.
    const bombs = await Promise.all(Array.from({ length: 8 }, pdfBomb));
    for (const bytes of bombs) await uploaded(content, bytes, "Bomb");
    await expect
      .poll(() => content.rows("/v4/assets?status=eq.processing&select=id"))
      .not.toEqual([]);
    const key = await content.keys.add({ name: "other", team: "Other" });
    const other = clientAt(content.address, key);
    const id = await uploaded(other, png([1, 2, 3]), "Image");
    expect((await waitUntilProcessed(other, id))["status"]).toBe("finished");
    expect((await fetch(`${content.address}/health`)).status).toBe(200);
    const left = await content.rows(
      "/v4/assets?status=not.in.(finished,error)&select=title",
    );
    expect(left.length).toBeGreaterThan(bombs.length / 2);
  });
});

it("[V4-307] the service stops when told to while files hang and grow in their readers", async () => {
  const dataDir = await temporaryFolder();
  const content = await serveContent(dataDir);
  // 52 bytes without an end, and an SVG that doubles forty times.
  const endless = Buffer.concat([
    Buffer.from("664c614300000022", "hex"),
    Buffer.alloc(44, 0xff),
  ]);
  const doubling = Array.from(
    { length: 40 },
    (_, at) =>
      `<g id="g${at + 1}"><use href="#g${at}"/><use href="#g${at}"/></g>`,
  ).join("");
  const growing = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><defs><path id="g0" d="M0 0h9v9"/>${doubling}</defs><use href="#g40"/></svg>`,
  );
  for (const bytes of [endless, growing, endless, growing])
    await uploaded(content, bytes, "Hanging");
  await vi.waitFor(async () =>
    expect(
      await content.rows("/v4/assets?status=in.(processing,error)"),
    ).not.toEqual([]),
  );
  const ended = new Promise((resolve) => {
    content.process.once("exit", (code, signal) => resolve([code, signal]));
  });
  await requestEnd(content.process, dataDir, "content");
  expect(await ended).toEqual([0, null]);
});
