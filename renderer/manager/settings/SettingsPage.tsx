// The settings page: sections at the side, a search over all of them, each setting changed in place.

import { Button, CloseButton, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch, IconSearchOff } from "@tabler/icons-react";
import { useDeferredValue, useRef, useState, type ReactNode } from "react";
import { reasonOf } from "../api.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { addressOf, stayAt } from "../navigation.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { AboutPanel } from "./AboutPanel.tsx";
import { ApiDocs } from "./api-docs/ApiDocs.tsx";
import { BackupPanel } from "./backup/BackupPanel.tsx";
import { ManagerPanel } from "./ManagerPanel.tsx";
import { PinPanel } from "./PinPanel.tsx";
import { RestorePanel, type Archive } from "./backup/RestorePanel.tsx";
import { isFound, isSettingFound } from "./search.ts";
import {
  sectionIds,
  settingsIn,
  type SectionId,
  type SettingView,
} from "./setting-sections.ts";
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

  const sections = sectionIds
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
          className="settings-search"
          type="search"
          aria-label={t("settings.search")}
          placeholder={`${t("settings.search")} (${formats.keys("Ctrl+F")})`}
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
      <div className="settings-columns">
        <nav className="settings-nav" aria-label={t("settings.sectionsLabel")}>
          {sections.map((id) => (
            <a
              key={id}
              href={addressOf("settings", id)}
              aria-current={
                matches === null && id === open ? "true" : undefined
              }
              data-dim={
                matches !== null && !matches.some((hit) => hit.id === id)
              }
              onClick={(event) => {
                event.preventDefault();
                setSearchText("");
                stayAt("settings", id);
              }}
            >
              {t(`settings.sections.${id}`)}
            </a>
          ))}
        </nav>
        <div className="settings-body" key={matches ? "found" : open}>
          <p className="only-aloud" role="status">
            {matches === null ? "" : t("settings.found", { count })}
          </p>
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
        </div>
      </div>
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
    ...[t("settings.apiReference.title"), "documentation rest http curl"],
  ],
  backup: [
    ...[
      t("settings.backups.title"),
      t("settings.backups.description"),
      t("settings.restore.title"),
    ],
    ...[
      t("settings.restore.description"),
      "archive export import anthias tar.gz",
    ],
  ],
  kiosk: [
    ...[
      t("settings.pin.title"),
      t("settings.pin.description.notSet"),
      "pin code lock unattended leave",
    ],
    ...[
      t("systemCheck.title"),
      t("systemCheck.description"),
      "power saving sleep blanking",
    ],
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
    <section className="settings-section" aria-labelledby={`section-${id}`}>
      <h2 id={`section-${id}`}>{t(`settings.sections.${id}`)}</h2>
      {settings.length > 0 ? (
        <Settings
          settings={settings}
          searchText={searchText}
          settingsEditor={settingsEditor}
        />
      ) : null}
      {panels ? <Panels id={id} /> : null}
    </section>
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
    <div className="settings-group">
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
    </div>
  );
}

function Panels({ id }: { readonly id: SectionId }): ReactNode {
  const [archive, setArchive] = useState<Archive | null>(null);
  switch (id) {
    case "access":
      return (
        <>
          <TokensPanel />
          <ApiDocs />
        </>
      );
    case "backup":
      return (
        <>
          <BackupPanel onRestore={setArchive} />
          <RestorePanel archive={archive} onChoose={setArchive} />
        </>
      );
    case "kiosk":
      return (
        <>
          <PinPanel />
          <SystemCheckPanel />
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
