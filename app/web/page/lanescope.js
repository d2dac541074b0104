// The page: passes events to the program, which runs in a worker and draws on the canvas, and does for it what only a page can do.
'use strict';
(() => {
  const element = id => document.getElementById(id);
  const typing = element('typing'), over = element('over');
  // Written by `lanescope web`: {"archives": ["course.tar.gz", "own.tar.gz"], "first": "lesson=…", "serve": "https://…"}
  const settings = Object.assign({ archives: ['course.tar.gz'], first: '', serve: '' }, JSON.parse(element('settings').textContent));
  const inline = window.lanescopeInline || null;  // of a page that is one file: name → base64
  const most_wait_ms = 500, patience_ms = 3000;

  const address = location.href.split(/[?#]/)[0].replace(/\/index\.html$/, '/');

  let worker = null, token = '', link = location.search.slice(1) || settings.first, query = link;
  let sent = 0, answered = 0, waiting_since = 0, cancelled_at = 0, program = null, archives = null, opened = false, drawn = false, trace = null;

  // --- Words over the picture

  function say(words, choices = [], share = -1) {
    element('words').textContent = words;
    element('bar').hidden = share < 0;
    element('share').style.width = 100 * Math.max(0, share) + '%';
    if (element('choices').textContent !== choices.map(each => each[0]).join('')) {
      element('choices').replaceChildren(...choices.map(([name, act]) => {
        const button = document.createElement('button');
        button.textContent = name;
        button.onclick = act;
        return button;
      }));
    }
    over.hidden = false;
  }

  function hush() {
    over.hidden = true;
    if (window.top === window) element('view').focus();  // in a page around it, keys are that page's until a click
  }

  // --- The program and its files

  async function bytes_of(name) {
    if (inline && inline[name]) return await (await fetch('data:application/octet-stream;base64,' + inline[name])).arrayBuffer();
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(name + ': the server answers ' + answer.status);
    return await answer.arrayBuffer();
  }

  async function unpacked(name) {
    const stream = new Blob([await bytes_of(name)]).stream().pipeThrough(new DecompressionStream('gzip'));
    return await new Response(stream).arrayBuffer();
  }

  function missing() {
    if (!window.WebAssembly || !window.DecompressionStream) return 'WebAssembly';
    if (!HTMLCanvasElement.prototype.transferControlToOffscreen) return 'OffscreenCanvas';
    return '';
  }

  async function load() {
    const lack = missing();
    if (lack) throw new Error('this browser has no ' + lack + '. Use Chrome or Edge 102, Firefox 113, Safari 17, or a newer one.');
    let done = 0;
    const count = settings.archives.length + 1;
    const step = async made => {
      const result = await made;
      say('Lanescope is loading …', [], ++done / count);
      return result;
    };
    const compiled = unpacked('program.wasm.gz').then(bytes => WebAssembly.compile(bytes));
    [program, ...archives] = await Promise.all([step(compiled), ...settings.archives.map(name => step(unpacked(name)))]);
  }

  function worker_url() {
    if (!inline) return 'worker.js';
    const text = name => new TextDecoder().decode(Uint8Array.from(atob(inline[name]), letter => letter.charCodeAt(0)));
    return URL.createObjectURL(new Blob([text('program.js'), '\n', text('worker.js')], { type: 'text/javascript' }));
  }

  function new_token() {
    token = URL.createObjectURL(new Blob(['lanescope']));
    return token;
  }

  async function start() {
    // A canvas gives its drawing away once only.
    const fresh = element('view').cloneNode();
    element('view').replaceWith(fresh);
    listen(fresh);
    const canvas = fresh.transferControlToOffscreen();
    worker = new Worker(worker_url());
    worker.onmessage = event => hear(event.data);
    worker.onerror = event => fail(event.message || 'the program cannot be started');
    sent = answered = waiting_since = cancelled_at = 0;
    opened = drawn = false;
    const url = new URLSearchParams(query).get('trace');
    const extra = url ? await fetched(url) : null;
    if (extra) query = query.replace(/(^|&)trace=[^&]*/, '$1trace=' + encodeURIComponent(extra.name));
    trace = extra && { url, name: extra.name };
    worker.postMessage({ start: { canvas, program, archives, query, extra, address, token: new_token(), serve: serve(),
      inline: Boolean(inline), ...size() } }, [canvas]);
  }

  async function fetched(url) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error('the trace ' + url + ': the server answers ' + answer.status);
    const name = decodeURIComponent(new URL(url, location).pathname.split('/').pop()) || 'opened.trace';
    return { name, bytes: await answer.arrayBuffer() };
  }

  function serve() {
    const here = new URLSearchParams(location.search);
    const own = address.replace(/\/[^/]*$/, '');
    const url = here.has('serve') ? here.get('serve') || own : settings.serve;
    return url ? { url, token: here.get('token') || '' } : null;
  }

  function restart(with_query) {
    worker.terminate();
    query = with_query;
    say('Lanescope starts again …');
    start().catch(why => fail(why.message));
  }

  function fail(words) {
    if (worker) worker.terminate();
    const choices = [['Start again', () => location.reload()]];
    if (link) choices.unshift(['Without this link’s choices', () => { location.search = ''; }]);
    say('Lanescope stopped: ' + words, choices);
  }

  // --- What the program says

  const cursors = ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer', 'not-allowed'];

  function hear(told) {
    if (told.answered) answered = told.answered;
    if (told.opened) {
      opened = true;
      waiting_since = performance.now();
    }
    if (told.drawn && !drawn) {
      drawn = true;
      document.documentElement.dataset.drawn = 'yes';
      performance.mark('lanescope-first-frame');
      hush();
    }
    if (told.answered === sent && !over.hidden && waiting_since) hush();
    if (told.answered === sent) waiting_since = cancelled_at = 0;
    if ('job' in told && (waiting_since ? performance.now() - waiting_since > most_wait_ms : false)) busy(told.job);
    if ('cursor' in told) {
      element('view').style.cursor = cursors[told.cursor] || 'none';
      if (told.typing !== (document.activeElement === typing)) (told.typing ? typing : element('view')).focus();
    }
    if (told.scrolls !== undefined) touch.scrolls = told.scrolls;
    if ('title' in told) document.title = told.title;
    if ('link' in told) document.documentElement.dataset.link = link = of_trace(told.link);
    if ('copied' in told) copy(shared(told.copied));
    if (told.fullscreen) document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    if (told.pick) element('pick').click();
    if (told.save) save(told.save.name, told.save.bytes);
    if (told.failed) fail(told.failed);
  }

  // A trace that was fetched is known by its address, not by its name.
  function of_trace(words) {
    const own = trace && 'file=' + trace.name;
    return own && decodeURIComponent(words.split('&')[0]) === own ? words.replace(/^[^&]*/, 'trace=' + encodeURIComponent(trace.url)) : words;
  }

  // A link to this page leads to the same compiler.
  function shared(text) {
    if (!text.startsWith(address + '?')) return text;
    const here = new URLSearchParams(location.search), kept = ['serve', 'token'].filter(name => here.has(name));
    return address + '?' + [of_trace(text.slice(address.length + 1)), ...kept.map(name => name + '=' + encodeURIComponent(here.get(name)))].join('&');
  }

  function copy(text) {
    const by_hand = () => {
      typing.value = text;
      typing.select();
      document.execCommand('copy');
      typing.value = '';
      element('view').focus();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).catch(by_hand);
    else by_hand();
  }

  function save(name, bytes) {
    const at = document.createElement('a');
    at.href = URL.createObjectURL(new Blob([bytes]));
    at.download = name;
    at.click();
    setTimeout(() => URL.revokeObjectURL(at.href), 60000);
  }

  // --- Long work

  let shown_share = 0;
  function busy(share) {
    shown_share = share;
    const words = cancelled_at ? 'Cancelling …' : 'Working …';
    say(words, cancelled_at ? [] : [['Cancel', cancel]], share);
  }

  function cancel() {
    cancelled_at = performance.now();
    URL.revokeObjectURL(token);
    worker.postMessage({ token: new_token() });
    busy(0);
  }

  setInterval(() => {
    if (!worker || !waiting_since || !opened) return;
    const now = performance.now();
    if (cancelled_at && now - cancelled_at > patience_ms) restart(link);
    else if (now - waiting_since > most_wait_ms && (over.hidden || !drawn && !cancelled_at)) busy(shown_share);
  }, 250);

  // --- Events

  function send(message, moved = []) {
    if (!worker) return;
    message.number = ++sent;
    if (!waiting_since) waiting_since = performance.now();
    worker.postMessage(message, moved);
  }

  function size() {
    const scale = window.devicePixelRatio || 1;
    return { width: Math.max(1, Math.round(innerWidth * scale)), height: Math.max(1, Math.round(innerHeight * scale)), scale };
  }

  const place = event => {
    const scale = window.devicePixelRatio || 1;
    return [event.clientX * scale, event.clientY * scale];
  };

  // One finger points, drags and scrolls, two fingers scroll, a resting finger is the right button.
  const touch = { fingers: new Map(), kind: '', from: [0, 0], last: [0, 0], timer: 0 };
  const slack_px = 9, rest_ms = 550, px_per_notch = 60;

  function finger_down(event) {
    const at = place(event);
    touch.fingers.set(event.pointerId, at);
    clearTimeout(touch.timer);
    if (touch.fingers.size === 2) {
      if (touch.kind === 'drag') send({ mouse: [...touch.last, 0] });
      touch.kind = 'scroll';
      return;
    }
    Object.assign(touch, { kind: 'undecided', from: at, last: at });
    send({ mouse: [...at, 0], asks_scroll: true });
    touch.timer = setTimeout(() => {
      touch.kind = 'done';
      send({ mouse: [...at, 2] });
      send({ mouse: [...at, 0] });
    }, rest_ms);
  }

  function finger_moves(event) {
    if (!touch.fingers.has(event.pointerId)) return;
    const at = place(event), scale = window.devicePixelRatio || 1;
    touch.fingers.set(event.pointerId, at);
    const dx = at[0] - touch.from[0], dy = at[1] - touch.from[1];
    if (touch.kind === 'undecided' && Math.hypot(dx, dy) > slack_px * scale) {
      clearTimeout(touch.timer);
      const scrolls = touch.scrolls && Math.abs(dy) > Math.abs(dx);
      touch.kind = scrolls ? 'scroll' : 'drag';
      if (!scrolls) send({ mouse: [...touch.from, 1] });
    }
    if (touch.kind === 'scroll' && event.isPrimary) send({ wheel: (at[1] - touch.last[1]) / (px_per_notch * scale) });
    if (touch.kind === 'drag') send({ mouse: [...at, 1] });
    if (event.isPrimary) touch.last = at;
  }

  function finger_up(event) {
    touch.fingers.delete(event.pointerId);
    clearTimeout(touch.timer);
    const at = touch.last;
    if (touch.kind === 'undecided') {
      send({ mouse: [...touch.from, 1] });
      send({ mouse: [...touch.from, 0] });
    } else if (touch.kind === 'drag') {
      send({ mouse: [...at, 0] });
    }
    if (touch.fingers.size > 0) return;
    touch.kind = '';
    send({ mouse: [-1, -1, 0] });  // a finger that is gone points nowhere
  }

  // Chrome's and Firefox's own: a page must not take them away, or cannot.
  const of_browser = event => (event.ctrlKey || event.metaKey) && /^[wntlrWNTLR]$/.test(event.key) || event.altKey || event.key === 'F5' ||
    event.key === 'F12' || (event.ctrlKey || event.metaKey) && /^[+=\-0]$/.test(event.key);

  function listen(view) {
    const pointer = (name, finger, mouse) => view.addEventListener(name, event => {
      event.preventDefault();
      event.pointerType === 'touch' ? finger(event) : mouse(event);
    });
    pointer('pointerdown', finger_down, event => {
      view.setPointerCapture(event.pointerId);
      if (document.activeElement !== typing) view.focus();
      send({ mouse: [...place(event), event.buttons] });
    });
    pointer('pointermove', finger_moves, event => send({ mouse: [...place(event), event.buttons] }));
    pointer('pointerup', finger_up, event => send({ mouse: [...place(event), event.buttons] }));
    view.addEventListener('pointercancel', event => event.pointerType === 'touch' && finger_up(event));
    view.addEventListener('pointerleave', event => event.pointerType !== 'touch' && send({ mouse: [-1, -1, 0] }));
    view.addEventListener('contextmenu', event => event.preventDefault());
    view.addEventListener('wheel', event => {
      event.preventDefault();
      const per_notch = event.deltaMode === 1 ? 3 : 100;
      send({ wheel: -event.deltaY / per_notch });
    }, { passive: false });
  }

  addEventListener('keydown', event => {
    if (!drawn || event.target.tagName === 'BUTTON' || of_browser(event) || event.isComposing) return;
    const control = event.ctrlKey || event.metaKey;
    if (control && /^[vV]$/.test(event.key)) return;  // the event "paste" follows
    const letter = !control && [...event.key].length === 1;
    if (letter && event.target === typing) return;  // "input" follows, also of a keyboard on the screen
    event.preventDefault();
    if (letter) send({ type: event.key });
    else send({ key: event.key, shift: event.shiftKey, control });
  });
  typing.addEventListener('input', event => {
    if (event.isComposing) return;
    if (typing.value) send({ type: typing.value });
    else if (event.inputType === 'deleteContentBackward') send({ key: 'Backspace' });
    typing.value = '';
  });
  addEventListener('paste', event => {
    event.preventDefault();
    send({ paste: event.clipboardData.getData('text') });
  });

  addEventListener('resize', () => send({ size: size() }));
  addEventListener('focus', () => send({}));
  addEventListener('pagehide', () => worker && worker.postMessage({ keep: true }));

  // --- Files: dropped, or picked

  async function take(file) {
    let bytes = await file.arrayBuffer(), name = file.name;
    if (/\.(jpe?g|webp|avif|heic|svg)$/i.test(name)) {
      const picture = await createImageBitmap(file);
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext('2d').drawImage(picture, 0, 0);
      bytes = await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer();
      name = name.replace(/\.[^.]*$/, '.png');
    }
    send({ file: { name, bytes } }, [bytes]);
  }
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => {
    event.preventDefault();
    for (const file of event.dataTransfer.files) take(file).catch(why => say(file.name + ' cannot be read: ' + why.message, [['Close', hush]]));
  });
  element('pick').addEventListener('change', event => {
    for (const file of event.target.files) take(file).catch(why => say(file.name + ' cannot be read: ' + why.message, [['Close', hush]]));
    event.target.value = '';
  });
  window.lanescopeTouch = touch;

  say('Lanescope is loading …', [], 0);
  load().then(start).catch(why => fail(why.message));
})();
