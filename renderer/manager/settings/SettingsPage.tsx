// The settings page: sections at the side, a search over all of them, each setting changed in place.

import {
  Box,
  Button,
  CloseButton,
  Flex,
  Paper,
  TextInput,
  Title,
  VisuallyHidden,
} from "@mantine/core";
import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { IconSearch, IconSearchOff } from "@tabler/icons-react";
import { useDeferredValue, useRef, useState, type ReactNode } from "react";
import { reasonOf } from "../api/reason.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { Panel } from "../components/layout/Panel.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { stayAt } from "../place/navigation.ts";
import { useAnswer } from "../api/operations.ts";
import { can } from "../place/abilities.ts";
import { SessionsPanel } from "./SessionsPanel.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { AboutPanel } from "./AboutPanel.tsx";
import { ApiDocs } from "./api-docs/ApiDocs.tsx";
import { BackupPanel } from "./backup/BackupPanel.tsx";
import { HttpsPanel } from "./HttpsPanel.tsx";
import { ManagerPanel } from "./ManagerPanel.tsx";
import { PasswordPanel } from "./PasswordPanel.tsx";
import { PinPanel } from "./PinPanel.tsx";
import { RestorePanel, type Archive } from "./backup/RestorePanel.tsx";
import { isFound, isSettingFound } from "./search.ts";
import {
  sectionsHere,
  settingsIn,
  type SectionId,
  type SettingView,
} from "./setting-sections.ts";
import { SectionList } from "./SectionList.tsx";
import { SettingRow } from "./SettingRow.tsx";
import { SystemCheckPanel } from "./system-check/SystemCheckPanel.tsx";
import { TokensPanel } from "./TokensPanel.tsx";
import { useSettings, type SettingsEditor } from "./use-settings.ts";
import "./settings.css";

export function SettingsPage({ at }: { readonly at: string }): ReactNode {
  const [typed, setTyped] = useState({ at, text: "" });
  // Going to a section ends the search.
  const searchText = typed.at === at ? typed.text : "";
  const setSearchText = (text: string) => {
    setTyped({ at, text });
  };
  const searched = useDeferredValue(searchText.trim());
  const settings = useSettings();
  const field = useRef<HTMLInputElement>(null);
  useHotkeys([["mod+F", () => field.current?.focus()]], []);
  const isPhone = useMediaQuery("(width < 760px)");

  const sections = sectionsHere
    .filter((id) => id !== "kiosk" || settingsIn(id).length > 0)
    .filter((id) => id !== "more" || settingsIn(id).length > 0);
  const open = sections.find((id) => id === at) ?? "screen";
  const matches = searched === "" ? null : findIn(sections, searched);
  const shown = matches ?? [
    { id: open, settings: settingsIn(open), panels: true },
  ];
  const count = (matches ?? []).reduce(
    (sum, { settings: hits, panels }) => sum + hits.length + (panels ? 1 : 0),
    0,
  );

  return (
    <PageFrame
      title={t("settings.title")}
      isFilled
      actions={
        <TextInput
          ref={field}
          style={{ inlineSize: "min(360px, 40vw)" }}
          type="search"
          aria-label={t("settings.search")}
          placeholder={
            isPhone
              ? t("library.searchShort")
              : `${t("settings.search")} (${formats.keys("Ctrl+F")})`
          }
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={
            searchText === "" ? null : (
              <CloseButton
                aria-label={t("settings.clearSearch")}
                onClick={() => {
                  setSearchText("");
                }}
              />
            )
          }
          value={searchText}
          onChange={(event) => {
            setSearchText(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") setSearchText("");
          }}
        />
      }
    >
      <Flex h="100%" direction={{ base: "column", md: "row" }}>
        <SectionList
          sections={sections}
          open={open}
          matches={matches && matches.map(({ id }) => id)}
          onOpen={(id) => {
            setSearchText("");
            stayAt("settings", id);
          }}
        />
        <Box
          className="page-scroll"
          key={matches ? "found" : open}
          miw={0}
          pt={8}
          pb={48}
          ps={16}
        >
          <VisuallyHidden role="status">
            {matches === null ? "" : t("settings.found", { count })}
          </VisuallyHidden>
          {matches?.length === 0 ? (
            <Empty
              icon={IconSearchOff}
              title={t("settings.nothingFound", { searchText: searched })}
              sentence={t("settings.nothingFoundHint")}
            >
              <Button
                variant="default"
                onClick={() => {
                  setSearchText("");
                }}
              >
                {t("settings.clearSearch")}
              </Button>
            </Empty>
          ) : (
            shown.map((section) => (
              <Section
                key={section.id}
                {...section}
                searchText={searched}
                settingsEditor={settings}
              />
            ))
          )}
        </Box>
      </Flex>
    </PageFrame>
  );
}

interface Shown {
  readonly id: SectionId;
  readonly settings: readonly SettingView[];
  /** Whether the panels that are not settings are shown too. */
  readonly panels: boolean;
}

/** Search terms of the panels of a section that are not settings. */
const panelTexts: Readonly<Partial<Record<SectionId, readonly string[]>>> = {
  access: [
    ...[
      t("settings.tokens.title"),
      t("settings.tokens.description"),
      "token api key openapi",
    ],
    ...[t("settings.password.title"), t("settings.password.notSet")],
    ...[t("settings.https.title"), "tls ssl certificate encryption"],
    ...[t("settings.apiReference.title"), "documentation rest http curl"],
  ],
  backup: [
    ...[
      t("settings.backups.title"),
      t("settings.backups.description"),
      "archive export import anthias tar.gz",
    ],
    ...(can("restore")
      ? [t("settings.restore.title"), t("settings.restore.description")]
      : []),
  ],
  kiosk: [
    ...(can("exitPin")
      ? [
          t("settings.pin.title"),
          t("settings.pin.description.notSet"),
          "pin code lock unattended leave",
        ]
      : []),
    ...(can("systemCheck")
      ? [
          t("systemCheck.title"),
          t("systemCheck.description"),
          "power saving sleep blanking",
        ]
      : []),
  ],
  manager: [
    ...[
      t("settings.manager.language"),
      t("settings.manager.languageEffect"),
      "language deutsch",
    ],
    ...[
      t("settings.manager.appearance"),
      t("settings.manager.appearanceEffect"),
      "theme dark light",
    ],
  ],
  about: [
    ...[
      t("settings.about.version"),
      t("settings.about.license"),
      t("settings.about.dataFolder"),
    ],
    ...[t("settings.about.thirdParty"), "version licence license electron log"],
  ],
};

function findIn(
  sections: readonly SectionId[],
  searchText: string,
): readonly Shown[] {
  return sections
    .map((id) => ({
      id,
      settings: settingsIn(id).filter((setting) =>
        isSettingFound(searchText, setting, t(`settings.sections.${id}`)),
      ),
      panels: (panelTexts[id] ?? []).some((text) => isFound(searchText, text)),
    }))
    .filter(({ settings, panels }) => settings.length > 0 || panels);
}

function Section(
  props: Shown & {
    readonly searchText: string;
    readonly settingsEditor: SettingsEditor;
  },
): ReactNode {
  const { id, settings, panels, searchText, settingsEditor } = props;
  return (
    <Flex
      component="section"
      direction="column"
      gap={16}
      maw={920}
      mb={32}
      aria-labelledby={`section-${id}`}
    >
      <Title order={2} fz={15} lh="36px" id={`section-${id}`}>
        {t(`settings.sections.${id}`)}
      </Title>
      {settings.length > 0 ? (
        <Settings
          settings={settings}
          searchText={searchText}
          settingsEditor={settingsEditor}
        />
      ) : null}
      {panels ? <Panels id={id} /> : null}
    </Flex>
  );
}

function Settings(props: {
  readonly settings: readonly SettingView[];
  readonly searchText: string;
  readonly settingsEditor: SettingsEditor;
}): ReactNode {
  const {
    values,
    refusals,
    change,
    forgetRefusal,
    error,
    isFetching,
    refetch,
  } = props.settingsEditor;
  if (values === undefined)
    return error ? (
      <ErrorAlert
        sentence={t("settings.loadFailed")}
        reason={reasonOf(error)}
        isTrying={isFetching}
        onTryAgain={refetch}
      />
    ) : (
      <p className="quiet after-a-moment">{t("manager.loading")}</p>
    );
  return (
    <Paper withBorder radius={10}>
      {props.settings.map((setting) => (
        <SettingRow
          key={setting.wireName}
          setting={setting}
          value={values[setting.wireName]}
          refusal={refusals[setting.wireName]}
          searchText={props.searchText}
          onChange={change}
          onForget={forgetRefusal}
        />
      ))}
    </Paper>
  );
}

function Panels({ id }: { readonly id: SectionId }): ReactNode {
  const [archive, setArchive] = useState<Archive | null>(null);
  switch (id) {
    case "access":
      return <AccessPanels />;
    case "backup":
      return (
        <>
          <BackupPanel onRestore={can("restore") ? setArchive : null} />
          {can("restore") ? (
            <RestorePanel archive={archive} onChoose={setArchive} />
          ) : null}
        </>
      );
    case "kiosk":
      return (
        <>
          {can("exitPin") ? <PinPanel /> : null}
          {can("systemCheck") ? <SystemCheckPanel /> : null}
        </>
      );
    case "manager":
      return <ManagerPanel />;
    case "about":
      return <AboutPanel />;
    default:
      return null;
  }
}

function AccessPanels(): ReactNode {
  const isPhone = useAnswer("readSession", {}).data?.is_phone === true;
  return (
    <>
      {isPhone ? (
        <Panel
          title={t("session.phone.title")}
          about={t("session.phone.limits")}
        />
      ) : (
        <>
          <TokensPanel />
          <PasswordPanel />
          <HttpsPanel />
        </>
      )}
      <SessionsPanel />
      <ApiDocs />
    </>
  );
}
