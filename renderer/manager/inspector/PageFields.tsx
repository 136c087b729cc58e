// Request settings of a web page and how it is handled; a content service has only some of them.

import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { can } from "../place/abilities.ts";
import { NumberField, SwitchField, TextField } from "./Field.tsx";
import {
  mergeHeaderLines,
  readHeaderLines,
  showHeaderLines,
} from "../assets/headers-text.ts";
import type { Details } from "./use-details.ts";

export function PageFields({
  details,
}: {
  readonly details: Details;
}): ReactNode {
  return (
    <>
      {can("player") ? <DisplayFields details={details} /> : null}
      <TextField
        {...{ details, name: "custom_headers", label: t("inspector.headers") }}
        {...{ help: t("inspector.headersHelp"), isLong: true }}
        show={showHeaderLines}
        merge={mergeHeaderLines}
        read={(text) => {
          const value = readHeaderLines(text);
          return value === null
            ? { wrong: t("inspector.headersWrong") }
            : { value };
        }}
      />
      {can("player") ? (
        <TextField
          {...{ details, name: "user_agent", label: t("inspector.userAgent") }}
          placeholder={t("inspector.userAgentHint")}
        />
      ) : null}
      <TextField
        {...{ details, name: "js_injection", label: t("inspector.script") }}
        isLong
      />
      {can("player") ? <LoadingFields details={details} /> : null}
      <SwitchField
        {...{ details, name: "skip_ssl_verify" }}
        // A content service has one setting for both (V3-12).
        {...(can("player")
          ? {
              label: t("inspector.skipCertificate"),
              help: t("inspector.skipCertificateHelp"),
            }
          : {
              label: t("inspector.skipChecks"),
              help: t("inspector.skipChecksHelp"),
            })}
      />
      {can("player") ? (
        <SwitchField
          {...{
            details,
            name: "skip_asset_check",
            label: t("inspector.skipCheck"),
          }}
        />
      ) : null}
    </>
  );
}

function DisplayFields({ details }: { readonly details: Details }): ReactNode {
  return (
    <>
      <NumberField
        {...{ details, name: "zoom_level", label: t("inspector.zoom") }}
        placeholder="100"
      />
      <NumberField
        {...{
          details,
          name: "refresh_interval_s",
          label: t("inspector.refreshInterval"),
        }}
        placeholder={t("inspector.never")}
        show={(seconds: number | null) => (seconds ? String(seconds) : "")}
      />
    </>
  );
}

function LoadingFields({ details }: { readonly details: Details }): ReactNode {
  return (
    <>
      <SwitchField
        {...{ details, name: "nocache", label: t("inspector.bypassCache") }}
      />
      <SwitchField
        {...{
          details,
          name: "send_metadata",
          label: t("inspector.sendMetadata"),
        }}
      />
      <SwitchField
        {...{ details, name: "player_side_render" }}
        {...{
          label: t("inspector.livePage"),
          help: t("inspector.livePageHelp"),
        }}
      />
      <NumberField
        {...{ details, name: "screenshot_cache_seconds" }}
        {...{ label: t("inspector.maxScreenshotAge"), placeholder: "300" }}
      />
    </>
  );
}
