// First-run wizard: what this PC is for, on which display it plays, and what it shows; every step can be skipped.

import { Button, Flex, Group, Modal, Stepper } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type {
  MachineView,
  Orientation,
} from "../../../server/contract/ipc/ipc.ts";
import { passwordFault } from "../../../server/core/password.ts";
import { machineKey, useMachine } from "../api/api.ts";
import { keyOf, operate, useAnswer } from "../api/operations.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import { ContentStep } from "./ContentStep.tsx";
import { changesOf, type Choices } from "./choices.ts";
import { DisplayStep } from "./DisplayStep.tsx";
import { closeFirstRun, useIsFirstRunOpen } from "./open-first-run.ts";
import { RoleStep } from "./RoleStep.tsx";
import "./first-run.css";

export function FirstRun(): ReactNode {
  const client = useQueryClient();
  const machine = useMachine().data;
  const settings = useAnswer("readSettings", {}).data;
  const isByHand = useIsFirstRunOpen();
  const [step, setStep] = useState(0);
  const [choices, setChoices] = useState<Choices>({});
  /** The display of the playback window before it was moved for the test. */
  const [movedFrom, setMovedFrom] = useState<number | null>(null);
  const isOpen = machine !== undefined && (isByHand || !machine.isFirstRunDone);
  const now = nowOf(machine, settings);
  const { password = "" } = choices;
  const isPasswordUsable =
    password.trim() === "" || passwordFault(password) === null;
  const [isPasswordInvalid, setPasswordInvalid] = useState(false);
  const goToStep = (next: number): void => {
    setPasswordInvalid(!isPasswordUsable);
    if (isPasswordUsable) setStep(next);
  };

  const close = async (work: () => Promise<MachineView>): Promise<void> => {
    closeFirstRun();
    setStep(0);
    setChoices({});
    setMovedFrom(null);
    try {
      client.setQueryData(machineKey, await work());
    } catch (error) {
      notifyFailure(t("firstRun.saveFailed"), error);
    }
  };
  const skip = (): Promise<void> =>
    close(async () => {
      if (movedFrom !== null)
        await window.manager.showTestPattern({
          ...{ seconds: 0, withAudio: false, displayId: movedFrom },
        });
      return window.manager.changeMachine({ isFirstRunDone: true });
    });
  const done = (): Promise<void> => {
    const changes = changesOf(choices, now);
    return close(async () => {
      const next = await window.manager.changeMachine({
        ...{ ...changes.machine, isFirstRunDone: true },
      });
      if (Object.keys(changes.settings).length > 0) {
        await operate("changeSettings", { body: changes.settings });
        await client.invalidateQueries({ queryKey: keyOf("readSettings") });
      }
      if (changes.password !== null) {
        await operate("setPassword", { body: { password: changes.password } });
        await client.invalidateQueries({ queryKey: keyOf("readPassword") });
      }
      return next;
    });
  };
  // In a field, Escape belongs to the field and does not discard all answers so far.
  const escape = ({ target }: KeyboardEvent): void => {
    if (!(target instanceof Element) || !target.matches(written))
      skip().catch(notifyInternalError);
  };
  useHotkeys(isOpen ? [["Escape", escape, { preventDefault: false }]] : [], []);
  if (!isOpen) return null;
  return (
    <Modal
      opened
      onClose={() => {
        skip().catch(notifyInternalError);
      }}
      size={760}
      centered
      title={t("firstRun.title")}
      closeButtonProps={{ "aria-label": t("firstRun.skip"), size: 36 }}
      closeOnClickOutside={false}
      closeOnEscape={false}
      transitionProps={{ duration: 100 }}
      className="first-run"
    >
      <Stepper
        active={step}
        onStepClick={goToStep}
        size="sm"
        iconSize={32}
        mih={380}
      >
        <Stepper.Step label={t("firstRun.steps.role")}>
          <RoleStep
            machine={machine}
            chosen={choices.role}
            onRole={(role) => {
              setChoices({ ...choices, role });
            }}
            password={password}
            isPasswordInvalid={isPasswordInvalid}
            onPassword={(next) => {
              setPasswordInvalid(false);
              setChoices({ ...choices, password: next });
            }}
          />
        </Stepper.Step>
        <Stepper.Step label={t("firstRun.steps.display")}>
          <DisplayStep
            machine={machine}
            displayId={choices.displayId ?? now.displayId}
            orientation={choices.orientation ?? now.orientation}
            onDisplay={(displayId) => {
              setChoices({ ...choices, displayId });
            }}
            onOrientation={(orientation) => {
              setChoices({ ...choices, orientation });
            }}
            onPattern={() => {
              setMovedFrom(movedFrom ?? now.displayId);
            }}
          />
        </Stepper.Step>
        <Stepper.Step label={t("firstRun.steps.content")}>
          <ContentStep
            onGo={() => {
              done().catch(notifyInternalError);
            }}
          />
        </Stepper.Step>
      </Stepper>
      <Flex justify="space-between" component="footer" mt={16}>
        {step < 2 ? (
          <Button
            style={{
              marginInlineStart: "calc(var(--button-padding-x, 18px) * -1)",
            }}
            variant="subtle"
            color="gray"
            onClick={() => {
              skip().catch(notifyInternalError);
            }}
          >
            {t("firstRun.skip")}
          </Button>
        ) : null}
        <Group wrap="nowrap" align="stretch" gap={8} ms="auto">
          {step > 0 ? (
            <Button
              variant="default"
              onClick={() => {
                setStep(step - 1);
              }}
            >
              {t("manager.back")}
            </Button>
          ) : null}
          {step < 2 ? (
            <Button
              data-autofocus
              onClick={() => {
                goToStep(step + 1);
              }}
            >
              {t("firstRun.next")}
            </Button>
          ) : (
            <Button
              onClick={() => {
                done().catch(notifyInternalError);
              }}
            >
              {t("manager.done")}
            </Button>
          )}
        </Group>
      </Flex>
    </Modal>
  );
}

/** Text inputs; a radio button or a checkbox is not one. */
const written = "textarea, select, input:not([type=radio], [type=checkbox])";

const orientations: readonly Orientation[] = [0, 90, 180, 270];

function nowOf(
  machine: MachineView | undefined,
  settings: Readonly<Record<string, unknown>> | undefined,
) {
  const { displays = [], role = "both" } = machine ?? {};
  const storedOrientation = settings?.["screen_rotation"];
  return {
    role,
    displayId:
      (
        displays.find(({ isPlaybackDisplay }) => isPlaybackDisplay) ??
        displays[0]
      )?.id ?? 0,
    orientation: orientations.find((one) => one === storedOrientation) ?? 0,
    startsWithMachine: settings?.["start_with_machine"] === true,
  };
}
