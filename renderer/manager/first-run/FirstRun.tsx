// The first run: what this PC is, on which display, and what it shows; every step can be skipped.

import { Button, Modal, Stepper } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { deskKey, useDesk } from "../api.ts";
import { sayFailed } from "../parts/outcome.ts";
import { texts } from "../texts/texts.ts";
import { ContentStep } from "./ContentStep.tsx";
import { DisplayStep } from "./DisplayStep.tsx";
import { closeFirstRun, useIsFirstRunOpen } from "./open.ts";
import { createOwnStart } from "./own-start.ts";
import { RoleStep } from "./RoleStep.tsx";
import "./first-run.css";

export function FirstRun(): ReactNode {
  const client = useQueryClient();
  const desk = useDesk().data;
  const isByHand = useIsFirstRunOpen();
  const [step, setStep] = useState(0);
  const [followRole, setFollowRole] = useState(createOwnStart);
  const isOpen = desk !== undefined && (isByHand || !desk.isFirstRunDone);

  const end = async (): Promise<void> => {
    closeFirstRun();
    setStep(0);
    setFollowRole(createOwnStart);
    try {
      const next = await window.manager.changeMachine({ isFirstRunDone: true });
      client.setQueryData(deskKey, next);
    } catch (error) {
      sayFailed(texts.firstRun.notKept, error);
    }
  };
  // In a field Escape leaves the field's own business, not everything that was answered so far.
  useHotkeys(isOpen ? [["Escape", () => void end()]] : []);
  if (!isOpen) return null;
  const { steps } = texts.firstRun;
  return (
    <Modal
      opened
      onClose={() => void end()}
      size={760}
      centered
      title={texts.firstRun.title}
      closeButtonProps={{ "aria-label": texts.firstRun.skipAll, size: 36 }}
      closeOnClickOutside={false}
      closeOnEscape={false}
      transitionProps={{ duration: 100 }}
      className="first-run"
    >
      <Stepper
        active={step}
        onStepClick={setStep}
        size="sm"
        iconSize={32}
        className="first-run-steps"
      >
        <Stepper.Step label={steps.role}>
          <RoleStep desk={desk} onRole={followRole} />
        </Stepper.Step>
        <Stepper.Step label={steps.display}>
          <DisplayStep desk={desk} />
        </Stepper.Step>
        <Stepper.Step label={steps.content}>
          <ContentStep onGo={() => void end()} />
        </Stepper.Step>
      </Stepper>
      <footer className="first-run-foot">
        {step < 2 ? (
          <Button
            className="first-run-skip"
            variant="subtle"
            color="gray"
            onClick={() => void end()}
          >
            {texts.firstRun.skipAll}
          </Button>
        ) : null}
        <div className="first-run-ways">
          {step > 0 ? (
            <Button
              variant="default"
              onClick={() => {
                setStep(step - 1);
              }}
            >
              {texts.desk.back}
            </Button>
          ) : null}
          {step < 2 ? (
            <Button
              data-autofocus
              onClick={() => {
                setStep(step + 1);
              }}
            >
              {texts.firstRun.next}
            </Button>
          ) : (
            <Button onClick={() => void end()}>{texts.desk.done}</Button>
          )}
        </div>
      </footer>
    </Modal>
  );
}
