// Fields for the display and sound of an asset, each shown where it applies.

import type { ReactNode } from "react";
import type { AssetView } from "../api/asset-view.ts";
import { t } from "../../locales/messages.ts";
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
  const isVisual = [...kinds].some((kind) =>
    ["image", "video", "stream"].includes(kind),
  );
  const hasAudio = [...kinds].some((kind) =>
    ["video", "audio", "stream"].includes(kind),
  );
  return (
    <>
      {isVisual ? (
        <ChoiceField
          {...{ details, name: "fit", label: t("inspector.fit") }}
          choices={{
            "": t("inspector.fits.default"),
            fit: t("inspector.fits.fit"),
            fill: t("inspector.fits.fill"),
            natural: t("inspector.fits.natural"),
          }}
          order={["", "fit", "fill", "natural"]}
          read={(value) => (value === "" ? null : value)}
        />
      ) : null}
      {hasAudio ? (
        <>
          <NumberField
            {...{ details, name: "volume", label: t("inspector.volume") }}
            placeholder={t("inspector.volumeHint")}
          />
          <SwitchField
            {...{ details, name: "muted", label: t("inspector.muted") }}
          />
        </>
      ) : null}
      {kinds.has("pdf") ? (
        <>
          <TextField
            {...{ details, name: "pages", label: t("inspector.pages") }}
            placeholder={t("inspector.pagesHint")}
            show={showPages}
            read={(text) => {
              const value = readPages(text);
              return value === undefined
                ? { wrong: t("inspector.pagesWrong") }
                : { value };
            }}
          />
          <ChoiceField
            {...{ details, name: "rotation", label: t("inspector.rotation") }}
            choices={
              Object.fromEntries(
                pageRotations.map((angle) => [
                  angle,
                  t("inspector.degrees", { angle: Number(angle) }),
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
