// First-run step: the display to play on, its orientation, and a test pattern with sound to check them.

import { Button, SegmentedControl } from "@mantine/core";
import { IconDeviceTv, IconGridDots } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type {
  MachineView,
  Orientation,
} from "../../../server/contract/ipc/ipc.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { displaySize } from "../../locales/formats.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";

const patternSeconds = 15;
const orientations = [0, 90, 180, 270] as const;

interface Props {
  readonly machine: MachineView;
  readonly displayId: number;
  readonly orientation: Orientation;
  readonly onDisplay: (displayId: number) => void;
  readonly onOrientation: (orientation: Orientation) => void;
  /** The playback window is moved to the chosen display for the test. */
  readonly onPattern: () => void;
}

export function DisplayStep(props: Props): ReactNode {
  const { machine, displayId, orientation, onDisplay, onOrientation } = props;
  const tried = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      notifyFailure(t("firstRun.saveFailed"), error);
    }
  };
  return (
    <div className="display-step">
      <fieldset className="display-cards">
        <legend className="first-run-question">
          {t("firstRun.displayQuestion")}
        </legend>
        {machine.displays.map((display) => (
          <label key={display.id} className="display-card">
            <input
              type="radio"
              name="display"
              checked={display.id === displayId}
              onChange={() => {
                onDisplay(display.id);
              }}
            />
            <IconDeviceTv size={28} stroke={1.5} aria-hidden />
            <span>
              {t("firstRun.display", { name: display.name })}
              <span className="quiet">
                {" · "}
                <bdi>{displaySize(display.width, display.height)}</bdi>
                {display.isManagerDisplay ? (
                  <> · {t("firstRun.managerIsHere")}</>
                ) : null}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <p className="first-run-question" id="turn-label">
          {t("firstRun.orientationQuestion")}
        </p>
        <SegmentedControl
          aria-labelledby="turn-label"
          data={orientations.map((angle) => ({
            value: String(angle),
            label: t(`firstRun.orientations.${angle}`),
          }))}
          value={String(orientation)}
          onChange={(value) => {
            const next = orientations.find((angle) => String(angle) === value);
            if (next !== undefined) onOrientation(next);
          }}
        />
      </div>
      <div className="pattern-row">
        <Button
          variant="default"
          leftSection={<IconGridDots size={18} aria-hidden />}
          onClick={() => {
            tried(async () => {
              props.onPattern();
              await window.manager.showTestPattern({
                ...{ seconds: patternSeconds, withAudio: true },
                ...{ displayId, orientation },
              });
              notifySuccess(
                t("firstRun.testPatternShown", {
                  duration: formats.length(patternSeconds),
                }),
              );
            }).catch(notifyInternalError);
          }}
        >
          {t("firstRun.testPattern")}
        </Button>
        <p className="quiet">{t("firstRun.testPatternHelp")}</p>
      </div>
    </div>
  );
}
