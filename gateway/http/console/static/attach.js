// Files that go along with a question: chosen by button, shown by name, taken back, sent as base64.

import { h, put } from "./dom.js";
import { t } from "./words.js";

/** What a person has chosen; `element` is the list, `button` opens the choice. */
export class Attached {
  constructor() {
    this.files = [];
    this.element = h("ul", { class: "files", "aria-label": t("files"), hidden: true });
    this.input = h("input", {
      type: "file", multiple: true, hidden: true, id: "files", accept: ".txt,.md,.docx,.docm,.pdf,text/plain,application/pdf",
      onchange: () => {
        this.files.push(...this.input.files);
        this.input.value = "";
        this._show();
      },
    });
    this.button = h("button", {
      type: "button", class: "plain", "aria-label": t("attach"), title: t("attach"), onclick: () => this.input.click(),
    }, t("attachShort"));
  }

  /** Returns the files as the contract has them and forgets them. */
  async taken() {
    const files = this.files.splice(0);
    this._show();
    return Promise.all(files.map(async (file) => ({ name: file.name, media_type: file.type, content: await base64(file) })));
  }

  _show() {
    this.element.hidden = this.files.length === 0;
    put(this.element, this.files.map((file) => h("li", {}, file.name, h("button", {
      type: "button", class: "plain", "aria-label": `${file.name}: ${t("remove")}`,
      onclick: () => {
        this.files = this.files.filter((other) => other !== file);
        this._show();
        this.button.focus();
      },
    }, "×"))));
  }
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
