// Error boundary: a part that fails shows so in its place, and everything around it keeps working.

import { Center } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { reasonOf } from "../../api/reason.ts";
import { t } from "../../../locales/messages.ts";
import { ErrorAlert } from "./ErrorAlert.tsx";

interface Props {
  readonly sentence: string;
  readonly children: ReactNode;
}

interface State {
  readonly fault: { readonly reason: string } | null;
}

export class Boundary extends Component<Props, State> {
  override state: State = { fault: null };

  static getDerivedStateFromError(error: unknown): State {
    return { fault: { reason: reasonOf(error) } };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === null) return this.props.children;
    return (
      <Center mih="100%" p={24}>
        <ErrorAlert
          sentence={`${this.props.sentence} ${t("manager.screenContinues")}`}
          reason={fault.reason}
          isTrying={false}
          label={t("manager.reload")}
          onTryAgain={() => {
            window.location.reload();
          }}
        />
      </Center>
    );
  }
}
