// Preview of an archive, compared with the present data: counted, listed, and the settings that would change.

import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { BackupContents } from "../../../../server/contract/ipc/ipc-pc.ts";
import { useAssets } from "../../api.ts";
import { useAnswer } from "../../operations.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { restoredConnections } from "./restored-connections.ts";
import { quotedNames } from "./quoted-names.ts";
import { settingNamed } from "../setting-sections.ts";
import { spoken } from "../setting-value.ts";

/** Enough to recognise an archive. */
const maxListed = 24;

export function RestorePreview({
  contents,
}: {
  readonly contents: BackupContents;
}): ReactNode {
  const currentAssets = useAssets().data ?? [];
  const playlistsHere = useAnswer("listPlaylists", {}).data ?? [];
  const connectionsHere = useAnswer("listSyncAccounts", {}).data ?? [];
  const { assets, playlists, connections, settings, madeBy } = contents;
  const restored = restoredConnections(connectionsHere, connections);
  const problems = assets.filter(({ problem }) => problem !== null).length;
  return (
    <div className="restore-preview">
      <p className="restore-maker">
        {madeBy === null
          ? t("settings.restore.fromAnthias")
          : t("settings.restore.createdBy", {
              player: madeBy.player,
              time: formats.moment(Date.parse(madeBy.created)),
              version: madeBy.version,
            })}
      </p>
      <table className="restore-table">
        <thead>
          <tr>
            <td />
            <th scope="col">{t("settings.restore.current")}</th>
            <th scope="col">{t("settings.restore.afterwards")}</th>
          </tr>
        </thead>
        <tbody>
          <Row
            name={t("settings.restore.assets")}
            now={currentAssets.length}
            then={assets.length}
          />
          <Row
            name={t("settings.restore.playlists")}
            now={playlistsHere.length}
            then={playlists.length}
          />
          {restored.now + restored.then > 0 ? (
            <Row
              name={t("settings.restore.connections")}
              now={restored.now}
              then={restored.then}
            />
          ) : null}
        </tbody>
      </table>
      <p className="quiet">
        {t("settings.restore.files", {
          count: contents.filesCount,
          size: formats.size(contents.sizeBytes),
        })}
        {" · "}
        {t("settings.restore.settingsChanged", { count: settings.length })}
      </p>
      {restored.ended.length + restored.needingToken.length > 0 ? (
        <p className="restore-problems" data-tone="waiting">
          <IconAlertTriangle size={16} aria-hidden />{" "}
          {[
            restored.ended.length > 0
              ? t("settings.restore.connectionsRemoved", {
                  names: quotedNames(restored.ended),
                })
              : "",
            restored.needingToken.length > 0
              ? t("settings.restore.connectionsWithoutToken", {
                  names: quotedNames(restored.needingToken),
                })
              : "",
          ].join(" ")}
        </p>
      ) : null}
      {problems > 0 ? (
        <p className="restore-problems" data-tone="waiting">
          <IconAlertTriangle size={16} aria-hidden />{" "}
          {t("settings.restore.problems", { count: problems })}
        </p>
      ) : null}
      {assets.length > 0 ? (
        <>
          <h4>{t("settings.restore.assetList")}</h4>
          <ul className="restore-assets">
            {assets.slice(0, maxListed).map(({ name, isEnabled }, at) => (
              <li key={at}>
                <bdi>{name}</bdi>
                {isEnabled ? null : (
                  <span className="quiet">
                    {" "}
                    ({t("settings.restore.disabled")})
                  </span>
                )}
              </li>
            ))}
            {assets.length > maxListed ? (
              <li className="quiet">
                {t("settings.restore.moreAssets", {
                  count: assets.length - maxListed,
                })}
              </li>
            ) : null}
          </ul>
        </>
      ) : null}
      {settings.length > 0 ? (
        <dl className="restore-settings">
          {settings.map(({ name, now, then }) => (
            <div key={name}>
              <dt>{settingNamed(name)?.words.name ?? name}</dt>
              <dd>
                <span className="quiet">{valueText(name, now)}</span>
                {" → "}
                {valueText(name, then)}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}

function valueText(name: string, value: unknown): string {
  const setting = settingNamed(name);
  return setting ? spoken(setting, value) : String(value);
}

function Row(props: {
  readonly name: string;
  readonly now: number;
  readonly then: number;
}): ReactNode {
  return (
    <tr>
      <th scope="row">{props.name}</th>
      <td>{formats.count(props.now)}</td>
      <td>{formats.count(props.then)}</td>
    </tr>
  );
}
