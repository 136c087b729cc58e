// The screens as a table or tiles: virtualised, with the keyboard navigation of a file manager.

import { type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { type CardSelection } from "../../components/card-list/select-by-input.ts";
import { CardList } from "../../components/card-list/CardList.tsx";
import { useMoment } from "../../components/use-moment.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { ScreenCard } from "./ScreenCard.tsx";
import type { ScreensViewMode } from "./ScreensBar.tsx";

interface Props extends CardSelection {
  /** In the order of their keys. */
  readonly items: readonly ScreenItem[];
  readonly view: ScreensViewMode;
  readonly hasServices: boolean;
}

const sizes = { lineHeight: 68, cardWidth: () => 220, wordsHeight: 66 };

export function ScreenList(props: Props): ReactNode {
  const { items, view, selection } = props;
  const moment = useMoment(60_000);
  return (
    <CardList
      kind="screen"
      label={t("screens.title")}
      {...props}
      sizes={{ ...sizes, isLines: view === "table" }}
      overscan={4}
      paddingStart={4}
    >
      {(index, columns) =>
        items
          .slice(index * columns, (index + 1) * columns)
          .map((item, column) => (
            <ScreenCard
              // Keyed by position: the next results are written into the same cards.
              key={view === "tiles" ? item.key : column}
              item={item}
              moment={moment}
              isLine={view === "table"}
              isSelected={selection.ids.has(item.key)}
              isActive={item.key === selection.active}
              place={index * columns + column + 1}
              all={items.length}
              hasServices={props.hasServices}
            />
          ))
      }
    </CardList>
  );
}
