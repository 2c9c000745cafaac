// How the board looks inside its element. Colours are custom properties `--alfonso-…`, whose
// fallbacks stand in the stage (`play/figures.py`); a page may set them on the element.

import { css } from "lit";

export const look = css`
  :host {
    display: block;
    inline-size: 100%;
    position: relative;
    --alfonso-focus: #1d4ed8;
    --alfonso-menu: #fffaf0;
    --alfonso-menu-ink: #2b2118;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --alfonso-text: #f4ead6;
      --alfonso-dim: #cdbd9d;
    }
  }
  @media (forced-colors: active) {
    :host {
      --alfonso-text: CanvasText;
      --alfonso-dim: CanvasText;
      --alfonso-ink: CanvasText;
      --alfonso-paper: Canvas;
      --alfonso-field: Canvas;
      --alfonso-square: Canvas;
      --alfonso-wood: GrayText;
      --alfonso-on-wood: Canvas;
      --alfonso-lines: CanvasText;
      --alfonso-spike-a: Canvas;
      --alfonso-spike-b: GrayText;
      --alfonso-light: Canvas;
      --alfonso-light-edge: CanvasText;
      --alfonso-light-ink: CanvasText;
      --alfonso-dark: CanvasText;
      --alfonso-dark-edge: Canvas;
      --alfonso-dark-ink: Canvas;
      --alfonso-die: Canvas;
      --alfonso-active: Highlight;
      --alfonso-target: Highlight;
      --alfonso-may: CanvasText;
      --alfonso-mark: CanvasText;
      --alfonso-duty: CanvasText;
      --alfonso-liable: CanvasText;
      --alfonso-last: Highlight;
      --alfonso-on-sign: Canvas;
      --alfonso-focus: Highlight;
      --alfonso-menu: Canvas;
      --alfonso-menu-ink: CanvasText;
    }
    svg {
      forced-color-adjust: none;
    }
  }
  svg {
    display: block;
    inline-size: 100%;
    block-size: auto;
    overflow: visible;
    font-family: Georgia, "DejaVu Serif", serif;
    user-select: none;
    -webkit-user-select: none;
    pointer-events: none;
  }
  svg text {
    visibility: var(--alfonso-words, visible);
  }
  .stage {
    position: relative;
    -webkit-tap-highlight-color: transparent;
  }
  .grid {
    position: absolute;
    inset: 0;
    cursor: default;
    touch-action: manipulation;
  }
  .cell {
    position: absolute;
    box-sizing: border-box;
    border-radius: 6px;
    outline: none;
  }
  .cell.goes {
    cursor: grab;
    touch-action: none;
  }
  .cell.goal {
    cursor: pointer;
  }
  :host([disabled]) .cell {
    cursor: default;
    touch-action: manipulation;
  }
  .dragging .cell {
    cursor: grabbing;
    touch-action: none;
  }
  .cell:focus-visible {
    outline: 3px solid var(--alfonso-focus);
    outline-offset: -1px;
    box-shadow: 0 0 0 4px #fff;
  }
  .cell:focus:not(:focus-visible) {
    outline: none;
    box-shadow: none;
  }
  .menu {
    position: absolute;
    z-index: 2;
    display: grid;
    min-inline-size: 8em;
    max-inline-size: 100%;
    padding: 4px;
    border: 2px solid var(--alfonso-menu-ink);
    border-radius: 8px;
    background: var(--alfonso-menu);
    box-shadow: 0 4px 14px #0006;
    transform: translate(-50%, 0);
  }
  .menu button {
    min-block-size: 44px;
    padding: 4px 12px;
    border: 0;
    border-radius: 6px;
    background: transparent;
    color: var(--alfonso-menu-ink);
    font: inherit;
    text-align: start;
    cursor: pointer;
  }
  .menu button:hover,
  .menu button:focus-visible {
    outline: 3px solid var(--alfonso-focus);
    outline-offset: -3px;
  }
`;
