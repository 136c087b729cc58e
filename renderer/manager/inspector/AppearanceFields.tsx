// Fields for the display and sound of an asset, each shown where it applies.

import type { ReactNode } from "react";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import { texts } from "../texts/texts.ts";
import { ChoiceField, NumberField, SwitchField, TextField } from "./Field.tsx";
import { readPages, showPages } from "./pages-text.ts";
import type { Details } from "./use-details.ts";

interface Props {
  readonly details: Details;
  readonly kinds: ReadonlySet<AssetView["kind"]>;
}

const pageRotations = ["0", "90", "180", "270"] as const;

export function hasAppearance(kinds: ReadonlySet<AssetView["kind"]>): boolean {
  return [...kinds].some((kind) => kind !== "webpage" && kind !== "app");
}

export function AppearanceFields({ details, kinds }: Props): ReactNode {
  const hasPicture = [...kinds].some((kind) =>
    ["image", "video", "stream"].includes(kind),
  );
  const hasAudio = [...kinds].some((kind) =>
    ["video", "audio", "stream"].includes(kind),
  );
  return (
    <>
      {hasPicture ? (
        <ChoiceField
          {...{ details, name: "fit", label: texts.inspector.fit }}
          choices={texts.inspector.fits}
          order={["", "fit", "fill", "natural"]}
          read={(value) => (value === "" ? null : value)}
        />
      ) : null}
      {hasAudio ? (
        <>
          <NumberField
            {...{ details, name: "volume", label: texts.inspector.volume }}
            placeholder={texts.inspector.volumeHint}
          />
          <SwitchField
            {...{ details, name: "muted", label: texts.inspector.muted }}
          />
        </>
      ) : null}
      {kinds.has("pdf") ? (
        <>
          <TextField
            {...{ details, name: "pages", label: texts.inspector.pages }}
            placeholder={texts.inspector.pagesHint}
            show={showPages}
            read={(text) => {
              const value = readPages(text);
              return value === undefined
                ? { wrong: texts.inspector.pagesWrong }
                : { value };
            }}
          />
          <ChoiceField
            {...{ details, name: "rotation", label: texts.inspector.rotation }}
            choices={
              Object.fromEntries(
                pageRotations.map((angle) => [
                  angle,
                  texts.inspector.degrees(Number(angle)),
                ]),
              ) as Record<(typeof pageRotations)[number], string>
            }
            order={pageRotations}
            read={Number}
          />
        </>
      ) : null}
    </>
  );
}
