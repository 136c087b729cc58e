// The screens page: every screen of every content service, wrong ones first, to search, select and put right.

import { Box, Button, Popover, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import type { ScreenServiceView } from "../../../server/contract/ipc/ipc-screens.ts";
import type { ScreenState } from "../../../server/contract/link/screen-report.ts";
import { language } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { reasonOf } from "../api/reason.ts";
import { ListWithDetails } from "../components/layout/ListWithDetails.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import {
  keepListed,
  nothingSelected,
  select,
  type Selection,
} from "../components/card-list/selection.ts";
import { stayAt, type PageProps } from "../place/navigation.ts";
import { useMayRequest } from "../place/permissions.ts";
import { AddScreenForms } from "./adopted/AddScreenForms.tsx";
import { AlertsButton } from "./alerts/AlertsButton.tsx";
import { SeveralScreens } from "./commands/SeveralScreens.tsx";
import type { SentAction } from "./commands/send-command.ts";
import { ScreenDetails } from "./details/ScreenDetails.tsx";
import { NoMatches } from "../components/layout/NoMatches.tsx";
import { NoScreens, NoServices } from "./EmptyScreens.tsx";
import {
  createLabelList,
  createScreenFinder,
  type ScreenSorting,
} from "../fleet/find-screens.ts";
import { ScreenList } from "./list/ScreenList.tsx";
import { ScreensBar, type ScreensViewMode } from "./list/ScreensBar.tsx";
import { StateFilters } from "./list/StateFilters.tsx";
import { OutagesPage } from "./outages/OutagesPage.tsx";
import { outagesAt, ScreensSections } from "./ScreensSections.tsx";
import { useScreens, type AllScreens } from "../fleet/use-screens.ts";
import { AssertionsButton } from "./what-if/AssertionsButton.tsx";
import "../components/card-list/card-list.css";
import "./screens.css";

const viewKept = "vitrine.screens.view";
const listPlace = ".screen-list";

function focusList(): void {
  document.querySelector<HTMLElement>(listPlace)?.focus();
}

export function ScreensPage({ at }: PageProps): ReactNode {
  const screens = useScreens();
  return at === outagesAt ? (
    <OutagesPage screens={screens} />
  ) : (
    <Screens at={at} screens={screens} />
  );
}

function Screens({
  at,
  screens,
}: PageProps & { readonly screens: AllScreens }): ReactNode {
  const { all, services } = screens;
  const [words, setWords] = useState("");
  const [states, setStates] = useState<ReadonlySet<ScreenState>>(new Set());
  const [label, setLabel] = useState<string | null>(null);
  const [sorting, setSorting] = useState<ScreenSorting>("urgency");
  const [view, setView] = useState<ScreensViewMode>(() =>
    localStorage.getItem(viewKept) === "tiles" ? "tiles" : "table",
  );
  const [chosen, setChosen] = useState<Selection>(() =>
    at === ""
      ? nothingSelected
      : { ids: new Set([at]), active: at, anchor: at },
  );
  const [action, setAction] = useState<SentAction | null>(null);
  const [find] = useState(() => createScreenFinder(language));
  const { items, counts } = useMemo(
    () => find(all, { words, states, label, sorting }),
    [find, all, words, states, label, sorting],
  );
  const order = useMemo(() => items.map(({ key }) => key), [items]);
  const [listLabels] = useState(createLabelList);
  const labels = useMemo(() => listLabels(all), [listLabels, all]);
  const selection = useMemo(
    () => (screens.isLoading ? chosen : keepListed(chosen, order)),
    [chosen, order, screens.isLoading],
  );
  const selected = useMemo(
    () =>
      selection.ids.size === 0
        ? []
        : items.filter(({ key }) => selection.ids.has(key)),
    [items, selection],
  );
  const details = useRef<HTMLDivElement>(null);
  const mayAdd = useMayRequest()("POST", "/screens");

  // An address that names a screen selects it, wherever it came from.
  const [lastAt, setLastAt] = useState(at);
  if (at !== lastAt) {
    setLastAt(at);
    if (at !== "" && !chosen.ids.has(at))
      setChosen(select(chosen, order, at, "only"));
  }

  const onSelect = useCallback((next: Selection): void => {
    setChosen(next);
    const [only] = next.ids;
    stayAt("screens", next.ids.size === 1 ? only : "");
  }, []);
  const close = (): void => {
    onSelect({ ...selection, ids: new Set() });
    focusList();
  };
  const changeView = useCallback((next: ScreensViewMode): void => {
    localStorage.setItem(viewKept, next);
    setView(next);
  }, []);
  const [first] = order;
  const intoList = useCallback((): void => {
    if (first === undefined) return;
    onSelect(select(nothingSelected, [first], first, "only"));
    focusList();
  }, [first, onSelect]);
  const [only] = selected;
  const isOpen = selected.length > 0;
  const isNarrow = useMediaQuery("(width < 1280px)") && isOpen;
  const isPhone = useMediaQuery("(width < 760px)");
  return (
    <PageFrame
      title={t("screens.title")}
      about={
        all.length === 0
          ? undefined
          : items.length === all.length
            ? t("screens.count", { count: all.length })
            : t("screens.matchCount", {
                found: items.length,
                count: all.length,
              })
      }
      actions={
        services === null || services.length === 0 ? undefined : (
          <>
            {all.length === 0 ? null : <ScreensSections section="screens" />}
            <AlertsButton services={services} screens={all} />
            <AssertionsButton services={services} />
            {all.length === 0 || !mayAdd ? null : (
              <AddScreen services={services} count={all.length} />
            )}
          </>
        )
      }
      isFilled
    >
      <ListWithDetails
        className="screens"
        head={
          all.length === 0 ? null : (
            <Stack gap={8} pt={4} pb={8} px="var(--side)">
              <StateFilters
                isShort={isNarrow || isPhone}
                counts={counts}
                chosen={states}
                onChosen={setStates}
              />
              <ScreensBar
                {...{ words, labels, label, sorting, view }}
                onWords={setWords}
                onDown={intoList}
                onLabel={setLabel}
                onSorting={setSorting}
                onView={changeView}
              />
            </Stack>
          )
        }
        detailsLabel={t("screens.details")}
        ref={details}
        detailsWidth={400}
        onDetailsKey={(event) => {
          if (event.key === "Escape" && !event.defaultPrevented) focusList();
        }}
        details={
          !isOpen ? null : selected.length === 1 && only ? (
            <ScreenDetails key={only.key} item={only} onClose={close} />
          ) : (
            <SeveralScreens
              {...{ action, items: selected }}
              onAction={setAction}
              onClose={close}
            />
          )
        }
      >
        <Stack gap={0} h="100%">
          <Problems screens={screens} />
          {view === "table" && items.length > 0 ? <TableHead /> : null}
          <Box flex={1} mih={0}>
            {all.length === 0 ? (
              <Nothing screens={screens} />
            ) : items.length === 0 ? (
              <NoMatches
                title={t("screens.noMatches")}
                sentence={t("screens.noMatchesText")}
                showAll={t("screens.showAll")}
                onShowAll={() => {
                  setWords("");
                  setStates(new Set());
                  setLabel(null);
                }}
              />
            ) : (
              <ScreenList
                {...{ items, order, view, selection, onSelect }}
                hasServices={(services?.length ?? 0) > 1}
                onOpen={() => {
                  details.current
                    ?.querySelector<HTMLElement>("input, button")
                    ?.focus();
                }}
              />
            )}
          </Box>
        </Stack>
      </ListWithDetails>
    </PageFrame>
  );
}

/** For the eye: each row is read as a whole. */
function TableHead(): ReactNode {
  return (
    <div className="screen-line screens-table-head small quiet" aria-hidden>
      <span>{t("screens.columns.screen")}</span>
      <span>{t("screens.columns.state")}</span>
      <span className="screen-shown">{t("screens.facts.now")}</span>
      <span className="screen-next">{t("screens.facts.next")}</span>
    </div>
  );
}

function AddScreen({
  services,
  count,
}: {
  readonly services: readonly ScreenServiceView[];
  readonly count: number;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      width={340}
      position="bottom-end"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => {
            setIsOpen(!isOpen);
          }}
        >
          {t("screens.pair.add")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <AddScreenForms
          services={services}
          count={count}
          isFocused
          hasDescription
          onAdded={() => {
            setIsOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Services whose screens could not be loaded: the screens of the others are listed beneath. */
function Problems({ screens }: { readonly screens: AllScreens }): ReactNode {
  const { failed, refetch } = screens;
  if (failed.length === 0) return null;
  return (
    <Stack gap={8} pt={4} pb={8} px="var(--side)">
      {failed.map(({ service, name, error, hasScreens, isFetching }) => (
        <ErrorAlert
          key={service.id}
          sentence={
            hasScreens
              ? t("screens.loadFailedKept", { name })
              : t("screens.loadFailed", { name })
          }
          reason={reasonOf(error)}
          isTrying={isFetching}
          onTryAgain={() => {
            refetch().catch(notifyInternalError);
          }}
        />
      ))}
    </Stack>
  );
}

function Nothing({ screens }: { readonly screens: AllScreens }): ReactNode {
  const { services, servicesError, isLoading, failed } = screens;
  if (services === null && servicesError !== null)
    return (
      <ErrorAlert
        sentence={t("manager.noResponse")}
        reason={reasonOf(servicesError)}
        isTrying={false}
        onTryAgain={() => {
          screens.refetch().catch(notifyInternalError);
        }}
      />
    );
  if (services === null || (isLoading && failed.length === 0))
    return (
      <Text className="after-a-moment" c="dimmed" p={24}>
        {t("manager.loading")}
      </Text>
    );
  if (services.length === 0) return <NoServices />;
  return failed.length === services.length ? null : (
    <NoScreens services={services} />
  );
}
