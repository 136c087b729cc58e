// What each stop of the walk looks like, how it is added to the app, and how it is recognised in a sample of the screen.

import {
  clip,
  colouredPage,
  png,
  servePages,
  tone,
  type Colour,
} from "../../support/media/media.ts";
import { pdf } from "../../support/media/pdfs.ts";
import { isBlank, meanOf, type Frame } from "../../support/screen/screen.ts";
import type { AppCalls } from "../../support/app/start-app.ts";
import { serveStream } from "../../support/media/streams.ts";
import { nameOf, type Kind, type Variant, type Stop } from "./walk.ts";

const colours = {
  image: [
    [220, 40, 40],
    [120, 20, 20],
  ],
  video: [
    [30, 180, 60],
    [20, 95, 30],
  ],
  webpage: [
    [40, 60, 230],
    [20, 30, 125],
  ],
  pdf: [
    [225, 205, 40],
    [125, 115, 20],
  ],
  stream: [
    [205, 40, 205],
    [112, 20, 112],
  ],
} as const satisfies Partial<Record<Kind, readonly [Colour, Colour]>>;

/** The audio cards differ by the amount of text on them. */
const titles = ["I", "MMMM ".repeat(12)] as const;
const fewestBright = 60;
const brightness = 90;
const nearEnough = 26;

const variants = Object.entries(colours).flatMap(([kind, pair]) =>
  pair.map((colour, variant) => ({
    name: nameOf({ kind: kind as Kind, variant: variant as Variant }),
    colour,
  })),
);

/** The stop's name, `blank`, or `something else` with the mean colour of the sample. */
export function decode(frame: Frame): string {
  if (isBlank(frame)) return "blank";
  const mean = meanOf(frame);
  const far = (colour: Colour) =>
    Math.max(...mean.map((part, at) => Math.abs(part - (colour[at] ?? 0))));
  const nearest = variants.toSorted((a, b) => far(a.colour) - far(b.colour))[0];
  if (nearest && far(nearest.colour) < nearEnough) return nearest.name;
  // The background of a card is dark blue.
  if (Math.max(...mean) < 120 && mean[2] >= mean[0])
    return nameOf({ kind: "audio", variant: isFullyWritten(frame) ? 1 : 0 });
  return `something else (${mean.join(", ")})`;
}

function isFullyWritten({ pixels }: Frame): boolean {
  let bright = 0;
  for (let at = 0; at < pixels.length; at += 3)
    if (pixels.subarray(at, at + 3).every((part) => part > brightness))
      bright++;
  return bright > fewestBright;
}

export interface Media {
  /** Adds the stop as the last of the app's assets, shown for a second; returns its identifier. */
  add(app: AppCalls, stop: Stop): Promise<string>;
  stop(): Promise<void>;
}

export const staySeconds = 1;

export async function makeMedia(): Promise<Media> {
  const pages = await servePages(
    Object.fromEntries(
      colours.webpage.map((colour, variant) => [
        `/${variant}`,
        colouredPage(colour),
      ]),
    ),
  );
  const size = { width: 1280, height: 720 };
  const seconds = staySeconds;
  const clips = await both(colours.video, (colour) =>
    clip({ colour, seconds, ...size }),
  );
  const papers = await both(colours.pdf, (colour) => pdf([{ colour }]));
  const streams = await both(colours.stream, (colour) =>
    serveStream({ colour, seconds: 4, ...size }),
  );
  const audio = await tone(seconds);
  return {
    add: async (app, { kind, variant }) => {
      const name = nameOf({ kind, variant });
      const timed = { name, mimetype: kind, duration: seconds };
      // These play for their own length.
      const complete = { ...timed, duration: 0 };
      const added = (() => {
        switch (kind) {
          case "image":
            return app.addFile(png(colours.image[variant], 1280, 720), timed);
          case "video":
            return app.addFile(clips[variant], complete);
          case "pdf":
            return app.addFile(papers[variant], timed);
          case "audio":
            return app.addFile(audio, { ...complete, name: titles[variant] });
          case "webpage":
            return app.add({ ...timed, uri: `${pages.address}/${variant}` });
          case "stream":
            return app.add({
              ...timed,
              ...{ mimetype: "streaming", skip_asset_check: true },
              uri: streams[variant].address,
            });
        }
      })();
      return (await added).asset_id;
    },
    stop: async () => {
      await Promise.all([pages, ...streams].map((server) => server.stop()));
    },
  };
}

async function both<T>(
  [first, second]: readonly [Colour, Colour],
  make: (colour: Colour) => Promise<T>,
): Promise<readonly [T, T]> {
  return [await make(first), await make(second)];
}
