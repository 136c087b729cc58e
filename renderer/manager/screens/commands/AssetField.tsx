// Selects an asset of a content service, for commands that show one.

import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { useQuestion } from "../../api/manager-queries.ts";

/** More than this is never read: typing one more letter is faster. */
const maxOptions = 50;

export function AssetField(props: {
  readonly serviceId: string;
  readonly assetId: string;
  readonly isDisabled: boolean;
  readonly onChange: (id: string) => void;
}): ReactNode {
  const { serviceId, assetId, isDisabled, onChange } = props;
  const assets = useQuestion("listServiceAssets", { serviceId });
  return (
    <Select
      label={t("takeover.contentKinds.asset_id")}
      searchable
      limit={maxOptions}
      disabled={isDisabled || assets.data === undefined}
      error={assets.isError ? reasonOf(assets.error) : undefined}
      nothingFoundMessage={t("screens.noAssets")}
      data={(assets.data ?? []).map(({ id, title }) => ({
        value: id,
        label: title === "" ? id : title,
      }))}
      value={assetId === "" ? null : assetId}
      onChange={(next) => {
        onChange(next ?? "");
      }}
    />
  );
}
