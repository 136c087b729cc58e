// What the demo's screens show: posters for the shop, and for the canteen a web page whose server does not respond.

import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import sharp from "sharp";
import type { DemoService } from "./service.ts";

interface Poster {
  readonly title: string;
  readonly words: string;
  readonly from: string;
  readonly to: string;
}

const posters: readonly Poster[] = [
  {
    ...{ title: "Summer sale", words: "Summer sale" },
    ...{ from: "#ff9a44", to: "#fc6076" },
  },
  {
    ...{ title: "Opening hours", words: "Open till 8 pm" },
    ...{ from: "#4b79a1", to: "#283e51" },
  },
  {
    ...{ title: "New arrivals", words: "New arrivals" },
    ...{ from: "#2193b0", to: "#6dd5ed" },
  },
];

const secondsEach = 8;

export async function fillService({ send, label }: DemoService): Promise<void> {
  const ids: unknown[] = [];
  for (const poster of posters) {
    const form = new FormData();
    form.set("title", poster.title);
    form.set("file", new Blob([await drawn(poster)]), "poster.jpg");
    ids.push((await send("POST", "/assets/upload/", form))["id"]);
  }
  const playlist = async (title: string, assets: readonly unknown[]) => {
    const groups = [{ id: await label(title) }];
    await send("POST", "/playlists/", {
      ...{ title, predicate: "TRUE", groups },
      assets: assets.map((asset) => ({ id: asset, duration: secondsEach })),
    });
  };
  await playlist("Shop", ids);
  const page = await send("POST", "/assets/", {
    ...{ title: "Lunch menu", source_url: `${await deadAddress()}/lunch` },
    disable_verification: true,
  });
  await playlist("Canteen", [page["id"]]);
}

/** A port of this PC at which nothing listens any more. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}

async function drawn({
  words,
  from,
  to,
}: Poster): Promise<Uint8Array<ArrayBuffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080" viewBox="0 0 1280 720">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
    <rect width="1280" height="720" fill="url(#g)"/>
    <circle cx="1060" cy="120" r="260" fill="#ffffff" opacity="0.14"/>
    <text x="80" y="420" font-family="sans-serif" font-weight="700" font-size="140" fill="#ffffff">${words}</text>
    <rect x="84" y="470" width="220" height="14" fill="#ffffff"/>
  </svg>`;
  return new Uint8Array(
    await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer(),
  );
}
