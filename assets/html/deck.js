'use strict';
(() => {
  const body = document.body, presenter = document.getElementById('presenter');
  if (body.classList.contains('handout')) return;

  // --- Texts that are longer than a slide continue on the next one ---------------------------------------------------

  const bodyOf = (slide) => slide.querySelector('.body');
  const bottomOf = (element) => element.getBoundingClientRect().bottom;
  const overflows = (text) => text.scrollHeight > text.clientHeight + 1;
  const introduces = (element) => element.textContent.trimEnd().endsWith(':');

  // Cuts a text behind the last of these ends that fits. Returns the rest, or null.
  function splitText(block, bottom, ends) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let last = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const end of node.data.matchAll(ends)) {
        range.setStart(block, 0);
        range.setEnd(node, end.index + end[0].length);
        if (range.getBoundingClientRect().bottom <= bottom) last = [node, end.index + end[0].length];
      }
    if (!last) return null;
    range.setStart(...last);
    range.setEnd(block, block.childNodes.length);
    const rest = block.cloneNode(false);
    rest.append(range.extractContents());
    return rest;
  }

  // The last block of a text is cut in the middle if that is early enough.
  function splitParts(block, parts, bottom, last) {
    const head = block.matches('table') ? 1 : 0;
    let at = parts.findIndex((part) => bottomOf(part) > bottom);
    if (last) at = Math.min(at, Math.ceil((parts.length + head) / 2));
    else if (at === parts.length - 1 && at > head + 2) at -= 1;  // no single row on the next slide
    if (at <= head) return null;
    const rest = block.cloneNode(false);
    if (block.matches('ol')) rest.start = block.start + at;
    if (head) rest.append(parts[0].cloneNode(true));
    rest.append(...parts.slice(at));
    return rest;
  }

  function split(block, bottom, last) {
    if (block.matches('p')) return splitText(block, bottom, /[.?!]\s+/g);
    if (block.matches('pre')) return splitText(block, bottom, /\n/g);
    if (block.matches('table')) return splitParts(block, [...block.rows], bottom, last);
    return block.matches('ul, ol, .rows') ? splitParts(block, [...block.children], bottom, last) : null;
  }

  // Moves what does not fit. Returns whether something is left on both slides.
  function moveRest(text, next) {
    const bottom = bottomOf(text), blocks = [...text.children];
    let at = blocks.findIndex((block) => bottomOf(block) > bottom);
    if (at < 0) return false;
    const early = blocks[at].getBoundingClientRect().top < bottom - 0.4 * text.clientHeight;
    const rest = early || at === 0 ? split(blocks[at], bottom, at === blocks.length - 1) : null;
    if (rest) {
      next.append(rest, ...blocks.slice(at + 1));
      return true;
    }
    while (at > 0 && introduces(blocks[at - 1])) at -= 1;
    if (at === 0) return false;
    next.append(...blocks.slice(at));
    return true;
  }

  function continuation(slide) {
    const next = slide.cloneNode(false), sheet = slide.querySelector('.sheet').cloneNode(false);
    const header = slide.querySelector('header').cloneNode(true), heading = header.querySelector('h1, h2, h3');
    if (heading) {
      const again = document.createElement('div');
      again.className = 'again';
      again.append(...heading.childNodes, Object.assign(document.createElement('small'), { textContent: ` ${presenter.dataset.continued}` }));
      heading.replaceWith(again);
    }
    header.querySelector('.label')?.remove();
    header.querySelector('.open')?.remove();
    sheet.append(header, bodyOf(slide).cloneNode(false));
    next.append(sheet);
    if (next.matches('.topic, .lesson')) next.className = 'slide text';
    return next;
  }

  // The largest type in which everything fits, or the smallest.
  function chooseType(text, fits) {
    for (const size of ['large', '', 'close', 'small']) {
      text.classList.remove('large', 'close', 'small');
      if (size) text.classList.add(size);
      if (fits()) return true;
    }
    return false;
  }

  // A short text has large type.
  function enlarge(text) {
    text.classList.add('large');
    const used = bottomOf(text.lastElementChild) - text.getBoundingClientRect().top;
    if (used > 0.85 * text.clientHeight || overflows(text)) text.classList.remove('large');
  }

  // The words above a figure leave it the height at which its type is legible; the notes have the whole text.
  function fitIdea(text) {
    const figure = text.querySelector('figure'), lead = text.querySelector('.lead');
    const image = figure.querySelector('img'), least = Number(figure.dataset.least), whole = image.height;
    const resize = (height) => Object.assign(image.style, { width: 'auto', height: `${height}px` });
    resize(least);
    const lines = () => !lead || lead.clientHeight <= 0.36 * text.clientHeight;
    while (!chooseType(text, () => !overflows(text) && lines()) && lead) {
      const last = lead.lastElementChild;
      if (!last) break;
      const room = lead.getBoundingClientRect().top + 0.36 * text.clientHeight;
      if (!last.matches('p') || !splitText(last, Math.min(room, bottomOf(last) - 4), /[.?!]\s+/g)) last.remove();
    }
    if (lead && !lead.firstElementChild) lead.remove();
    const used = figure.offsetHeight + (lead?.isConnected ? lead.offsetHeight + 18 : 0);
    resize(Math.min(whole, least + text.clientHeight - used));
  }

  // A slide shows one answer at a time; those that are shown from the beginning stand there together.
  function fitQuestions(slide, text) {
    const answers = [...text.querySelectorAll('.answer:not(.told)')];
    const fits = () => !overflows(text) && answers.every((answer) => {
      answer.classList.add('told');
      const good = !overflows(text);
      answer.classList.remove('told');
      return good;
    });
    const list = text.querySelector('ol'), items = [...list.children];
    if (chooseType(text, fits) || items.length < 2) return;
    const next = continuation(slide), rest = list.cloneNode(false), half = Math.ceil(items.length / 2);
    rest.start = list.start + half;
    rest.append(...items.slice(half));
    bodyOf(next).append(rest);
    slide.after(next);
    fitQuestions(slide, text);
    fitQuestions(next, bodyOf(next));
  }

  function fitText(slide) {
    const text = bodyOf(slide);
    if (!text.firstElementChild) return;
    if (slide.matches('.questions')) {
      fitQuestions(slide, text);
      return;
    }
    const rows = [...text.querySelectorAll('.row')], even = () => rows.every((row) => row.offsetHeight === rows[0].offsetHeight);
    if (rows.length && chooseType(text, () => !overflows(text) && even())) return;  // no line is wrapped
    text.classList.remove('small');
    if (slide.matches('.idea') && text.querySelector('img')) {
      fitIdea(text);
      return;
    }
    if (!overflows(text)) {
      enlarge(text);
      return;
    }
    text.classList.add('close');
    if (!overflows(text)) return;
    text.classList.remove('close');
    const next = continuation(slide);
    if (moveRest(text, bodyOf(next))) {
      slide.after(next);
      fitText(next);
      return;
    }
    for (let size = 24; size >= 10 && overflows(text); size -= 2) text.style.fontSize = `${size}px`;  // cannot be cut
  }

  body.classList.add('paged');
  document.querySelectorAll('.slide').forEach(fitText);

  // --- One slide at a time -------------------------------------------------------------------------------------------

  const slides = [...document.querySelectorAll('.slide')];
  let at = 0;

  function fit() {
    const slide = slides[at];
    if (!slide) return;
    slide.style.transform = '';
    slide.style.transform = `scale(${Math.min(innerWidth / 1280, innerHeight / slide.offsetHeight)})`;
  }

  function show(index) {
    at = Math.min(Math.max(index, 0), slides.length - 1);
    slides.forEach((slide, i) => slide.classList.toggle('shown', i === at));
    document.getElementById('number').textContent = `${at + 1} / ${slides.length}`;
    history.replaceState(null, '', `#${at + 1}`);
    fit();
    present();
  }

  // --- Answers -------------------------------------------------------------------------------------------------------

  const answers = () => [...slides[at].querySelectorAll('.answer')];

  function tell(answer) {
    if (!answer) return false;
    answers().forEach((each) => each.classList.toggle('told', each === answer));
    answer.classList.add('known');
    present();
    return true;
  }

  document.querySelectorAll('.answer:not(.told)').forEach((answer) => {
    answer.closest('.question').addEventListener('click', () => tell(answer));
  });

  // --- The presenter's window: this page writes it, so that it needs no address and works from a file ---------------

  let second = null, begun = 0;

  function scaled(slide, width) {
    const frame = second.document.createElement('div'), copy = second.document.importNode(slide, true);
    copy.querySelector('.notes')?.remove();
    copy.classList.add('shown');
    Object.assign(frame.style, { width: `${width}px`, height: `${width * 9 / 16}px` });
    frame.className = 'frame';
    copy.style.transform = `scale(${width / 1280})`;
    frame.append(copy);
    return frame;
  }

  function tick() {
    if (!second || second.closed) return;
    const seconds = Math.floor((Date.now() - begun) / 1000), two = (number) => String(number).padStart(2, '0');
    second.document.querySelector('.clock').textContent =
      `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  }

  function present() {
    if (!second || second.closed) return;
    const find = (name) => second.document.querySelector(name), width = second.innerWidth;
    const end = Object.assign(second.document.createElement('p'), { textContent: presenter.dataset.end });
    find('.place').textContent = `${at + 1} / ${slides.length}`;
    find('.now').replaceChildren(scaled(slides[at], Math.round(width * 0.55)));
    find('.next').replaceChildren(slides[at + 1] ? scaled(slides[at + 1], Math.round(width * 0.36)) : end);
    const told = [slides[at].querySelector('.notes')?.innerHTML, slides[at].querySelector('.asked')?.outerHTML];
    find('.said').innerHTML = told.filter(Boolean).join('');
    find('.said').scrollTop = 0;
    tick();
  }

  function openPresenter() {
    if (second && !second.closed) {
      second.focus();
      return;
    }
    second = open('', '', 'popup,width=1200,height=800');
    if (!second) {
      document.querySelector('.keys').textContent = presenter.dataset.blocked;
      return;
    }
    const there = second.document;
    there.title = document.title;
    for (const style of document.querySelectorAll('style')) there.head.append(there.importNode(style, true));
    there.body.className = 'presenter paged running';
    there.body.append(there.importNode(presenter.content, true));
    there.querySelector('.clock').addEventListener('click', () => { begun = Date.now(); tick(); });
    second.addEventListener('keydown', hear);
    second.addEventListener('resize', present);
    begun = begun || Date.now();
    present();
  }

  setInterval(tick, 1000);
  addEventListener('pagehide', () => second?.close());

  // --- Keys ----------------------------------------------------------------------------------------------------------

  function choosePaper() {
    document.getElementById('paper').textContent =
      body.classList.contains('with-notes') ? '@page { size: A4 portrait; margin: 14mm; }' : '';
  }

  // Forwards leads through the answers of a slide.
  const forward = () => tell(answers().find((answer) => !answer.matches('.told, .known'))) || show(at + 1);
  const back = () => show(at - 1);
  const actions = {
    ArrowRight: forward, ArrowDown: forward, PageDown: forward, ' ': forward,
    ArrowLeft: back, ArrowUp: back, PageUp: back,
    Home: () => show(0), End: () => show(slides.length - 1), p: openPresenter,
    n: () => { body.classList.toggle('with-notes'); choosePaper(); fit(); },
  };

  function hear(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const action = actions[event.key] || actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  addEventListener('keydown', hear);
  addEventListener('resize', fit);
  addEventListener('hashchange', () => show((parseInt(location.hash.slice(1), 10) || 1) - 1));
  addEventListener('beforeprint', () => slides.forEach((slide) => { slide.style.transform = ''; }));
  addEventListener('afterprint', fit);

  choosePaper();
  body.classList.add('running');
  show((parseInt(location.hash.slice(1), 10) || 1) - 1);
})();
