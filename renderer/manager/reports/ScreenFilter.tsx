// Filter of the report by one of the screens of the content service at whose address the page is.

import { Select } from "@mantine/core";
import { useMemo, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { useScreens } from "../fleet/use-screens.ts";
import { useScreensInOrder } from "../fleet/use-screens-in-order.ts";

interface Props {
  /** Only screens with this label; null is all of them. */
  readonly labelId: string | null;
  /** Null is every screen. */
  readonly screenId: string | null;
  readonly onScreen: (screenId: string | null) => void;
}

/** In the open list; typing finds the others. */
const maxChoices = 200;

export function ScreenFilter({
  labelId,
  screenId,
  onScreen,
}: Props): ReactNode {
  const { all } = useScreens();
  const inOrder = useScreensInOrder(all);
  const data = useMemo(
    () =>
      inOrder
        .map(({ screen }) => screen)
        .filter(
          ({ id, groups }) =>
            id === screenId ||
            labelId === null ||
            groups.some((label) => label.id === labelId),
        )
        .map(({ id, name }) => ({ value: id, label: name })),
    [inOrder, labelId, screenId],
  );
  return (
    <Select
      aria-label={t("reports.service.screenFilter")}
      maw={260}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("reports.service.clearScreen") }}
      placeholder={t("reports.service.everyScreen")}
      limit={maxChoices}
      nothingFoundMessage={t("playlists.service.noSuchScreen")}
      data={data}
      value={screenId}
      onChange={onScreen}
    />
  );
}
