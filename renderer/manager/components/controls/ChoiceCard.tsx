// A choice among a few, as a card: a radio button with its words, chosen by a click anywhere on it.

import { Flex, type FlexProps } from "@mantine/core";
import type { ReactNode } from "react";
import "./choice-card.css";

type Appearance = Pick<
  FlexProps,
  "className" | "direction" | "align" | "gap" | "py" | "px" | "bdrs"
>;

interface Props extends Appearance {
  /** Of the group of radio buttons. */
  readonly name: string;
  readonly isChosen: boolean;
  /** Takes the focus when its dialog opens. */
  readonly isFirst?: boolean;
  readonly isGrave?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function ChoiceCard(props: Props): ReactNode {
  const {
    name,
    isChosen,
    isFirst,
    isGrave,
    onChoose,
    children,
    ...appearance
  } = props;
  return (
    <Flex
      component="label"
      className="choice-card"
      align="center"
      gap={12}
      mih={44}
      py={8}
      px={12}
      bdrs={12}
      data-grave={isGrave === true}
      {...appearance}
    >
      <input
        type="radio"
        name={name}
        data-autofocus={isFirst === true ? true : undefined}
        checked={isChosen}
        onChange={onChoose}
      />
      {children}
    </Flex>
  );
}
