// Draws the figures of a page with Chart.js from the data that the page holds. A page whose script does not run shows tables.
(function () {
  'use strict';
  var source = document.getElementById('figures');
  if (!source || !window.Chart) return;
  var figures = JSON.parse(source.textContent);
  var charts = [];
  var vendors = { nvidia: { title: 'NVIDIA', point: 'circle' }, amd: { title: 'AMD', point: 'triangle' }, '': { title: '', point: 'rect' } };

  function color(name) { return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim(); }
  function vendorColor(vendor, soft) { return color((vendor || 'neutral') + (soft ? '-soft' : '')); }
  function each(figure, soft) { return figure.vendors.map(function (v) { return vendorColor(v, soft); }); }

  function printing() { return document.documentElement.classList.contains('printing'); }

  function number(x) {
    if (x === null || x === undefined) return '-';
    var size = Math.abs(x);
    if (size >= 10000) return Math.round(x).toLocaleString('en-US');
    return String(Number(x.toPrecision(size >= 1000 ? 4 : 3)));
  }

  function short(x) {
    var size = Math.abs(x);
    if (size >= 1e6) return number(x / 1e6) + ' M';
    if (size >= 1e4) return number(x / 1e3) + ' k';
    return number(x);
  }

  function wrapped(text, most) {
    var lines = [''];
    text.split(' ').forEach(function (word) {
      var last = lines.length - 1;
      if (lines[last] && (lines[last] + ' ' + word).length > most) lines.push(word); else lines[last] += (lines[last] ? ' ' : '') + word;
    });
    return lines;
  }

  function axis(title, more) {
    var base = { title: { display: !!title, text: title, color: color('soft') }, ticks: { color: color('soft') }, grid: { color: color('rule'), borderColor: color('line') } };
    return Object.assign(base, more || {});
  }

  function figureAxis(title, more) {
    var base = axis(title, more);
    base.ticks.callback = function (value) { return short(Number(value)); };
    return base;
  }

  function rows() {
    var base = axis('', { grid: { display: false } });
    base.ticks.autoSkip = false;
    base.ticks.font = { size: printing() ? 9 : 11 };
    return base;
  }

  function days() {
    var base = axis('', { grid: { display: false } });
    Object.assign(base.ticks, { maxRotation: 0, maxTicksLimit: window.innerWidth < 560 && !printing() ? 3 : 6 });
    return base;
  }

  // A row of horizontal bars needs room for its name. On paper two charts share a page.
  function labels(canvas, texts) {
    var paper = printing();
    var most = Math.max(16, Math.round(canvas.parentNode.clientWidth / (paper ? 10 : 18)));
    var lines = texts.map(function (text) { return wrapped(text, most); });
    var tallest = Math.max.apply(null, lines.map(function (l) { return l.length; }));
    var height = Math.max(240, texts.length * (tallest * 14 + 9) + 70);
    canvas.parentNode.style.height = (paper ? Math.min(380, height) : height) + 'px';
    return lines;
  }

  function options(scales, legend, tip) {
    return {
      animation: false, responsive: true, maintainAspectRatio: false, scales: scales,
      plugins: { legend: { display: legend, labels: { color: color('ink'), usePointStyle: true, boxWidth: 8, boxHeight: 8 } }, tooltip: { callbacks: tip } }
    };
  }

  function range(figure, i) { return number(figure.value[i]) + ' (' + number(figure.low[i]) + ' to ' + number(figure.high[i]) + ') ' + figure.unit; }

  // Horizontal bars, a row for each label.
  function across(figure, canvas, o, datasets) {
    o.indexAxis = 'y';
    return { type: 'bar', options: o, data: { labels: labels(canvas, figure.labels), datasets: datasets } };
  }

  var kinds = {
    bars: function (figure, canvas) {
      var spread = figure.low.map(function (low, i) { return low === null ? null : [low, figure.high[i]]; });
      var o = options({ x: figureAxis(figure.unit, { beginAtZero: true }), y: rows() }, false,
        { title: function (items) { return figure.labels[items[0].dataIndex]; }, label: function (item) { return range(figure, item.dataIndex); } });
      return across(figure, canvas, o, [
        { label: '80 % range', data: spread, backgroundColor: color('ink'), barThickness: 2, grouped: false },
        { label: figure.unit, data: figure.value, backgroundColor: each(figure, true), borderColor: each(figure), borderWidth: 1.5, barPercentage: .8, grouped: false }
      ]);
    },

    scatter: function (figure) {
      var sets = Object.keys(vendors).map(function (v) {
        return {
          label: vendors[v].title, pointStyle: vendors[v].point, pointRadius: 6, pointHoverRadius: 8, borderColor: vendorColor(v), backgroundColor: vendorColor(v, true), borderWidth: 2,
          data: figure.points.filter(function (p) { return p.vendor === v && !p.today; }), showLine: true, borderDash: [4, 4]
        };
      });
      sets.push({ label: 'what runs today', pointStyle: 'rectRot', pointRadius: 8, pointHoverRadius: 10, borderColor: color('ink'), backgroundColor: color('neutral'), borderWidth: 2, data: figure.points.filter(function (p) { return p.today; }) });
      sets = sets.filter(function (set) { return set.data.length > 0; });
      return {
        type: 'scatter', data: { datasets: sets },
        options: options({ x: figureAxis(figure.x, { beginAtZero: true }), y: figureAxis(figure.y, { beginAtZero: true }) }, true,
          { label: function (item) { return item.raw.label + ': ' + number(item.raw.x) + ', ' + number(item.raw.y); } })
      };
    },

    lines: function (figure) {
      return {
        type: 'line',
        data: {
          labels: figure.labels,
          datasets: figure.series.map(function (s) {
            var last = s.seen.lastIndexOf(true);
            return {
              label: s.label, data: s.value, borderColor: vendorColor(s.vendor), backgroundColor: vendorColor(s.vendor), pointStyle: vendors[s.vendor].point, borderWidth: 2, stepped: true, spanGaps: false,
              pointRadius: s.seen.map(function (seen) { return seen ? 4 : 0; }), segment: { borderDash: function (at) { return at.p0DataIndex >= last ? [2, 4] : undefined; } }
            };
          })
        },
        options: options({ x: days(), y: figureAxis(figure.y, { beginAtZero: true }) }, true, {
          label: function (item) { return item.dataset.label + ': ' + number(item.raw); }
        })
      };
    },

    // A value with its range over months, a band a series.
    bands: function (figure) {
      var sets = [];
      figure.series.forEach(function (s) {
        var points = function (key) { return s.month.map(function (m, i) { return { x: m, y: s[key][i] }; }); };
        sets.push({ label: s.label, data: points('value'), borderColor: vendorColor(s.vendor), backgroundColor: vendorColor(s.vendor), borderWidth: 2.5, pointRadius: 0 });
        sets.push({ label: '', data: points('low'), borderWidth: 1, borderDash: [3, 3], borderColor: vendorColor(s.vendor), pointRadius: 0 });
        sets.push({ label: '', data: points('high'), borderWidth: 1, borderDash: [3, 3], borderColor: vendorColor(s.vendor), backgroundColor: vendorColor(s.vendor, true), pointRadius: 0, fill: '-1' });
      });
      var o = options({ x: figureAxis(figure.x, { type: 'linear', beginAtZero: true }), y: figureAxis(figure.y) }, true, { label: function (item) { return number(item.raw.y); } });
      o.scales.y.grid.color = function (at) { return at.tick && at.tick.value === 0 ? color('ink') : color('rule'); };
      o.plugins.legend.labels.filter = function (item) { return item.text !== ''; };
      return { type: 'line', data: { datasets: sets }, options: o };
    },

    // Lines through points; `log`: their x by its logarithm.
    curve: function (figure) {
      var names = ['nvidia', 'amd', ''];
      return {
        type: 'line',
        data: {
          datasets: figure.series.map(function (s, i) {
            var c = vendorColor(names[i % names.length]);
            return { label: s.label, data: s.points, borderColor: c, backgroundColor: c, borderWidth: 2, pointRadius: s.points.length > 100 ? 0 : 2 };
          })
        },
        options: options({ x: figureAxis(figure.x, { type: figure.log ? 'logarithmic' : 'linear' }), y: figureAxis(figure.y, { beginAtZero: true }) }, figure.series.length > 1,
          { label: function (item) { return number(item.raw.x) + ': ' + number(item.raw.y); } })
      };
    },

    tornado: function (figure, canvas) {
      var bar = function (key) { return figure[key].map(function (x) { return x === null ? null : [figure.base, x]; }); };
      var o = options({ x: figureAxis(figure.unit), y: rows() }, true, {
        title: function (items) { return figure.labels[items[0].dataIndex]; },
        label: function (item) { return item.dataset.label + ': ' + number(item.raw[1]); }
      });
      return across(figure, canvas, o, [
        { label: 'low end of the assumption', data: bar('at_low'), backgroundColor: vendorColor('nvidia', true), borderColor: vendorColor('nvidia'), borderWidth: 1.5, grouped: false, borderSkipped: false },
        { label: 'high end', data: bar('at_high'), backgroundColor: vendorColor('amd', true), borderColor: vendorColor('amd'), borderWidth: 1.5, grouped: false, borderSkipped: false }
      ]);
    },

    counts: function (figure) {
      var tones = ['good', 'neutral', 'warn', 'bad'];
      return {
        type: 'bar',
        data: { labels: figure.labels, datasets: [{ label: figure.y, data: figure.value, backgroundColor: figure.value.map(function (x, i) { return color(tones[i % tones.length]); }) }] },
        options: options({ x: axis('', { grid: { display: false } }), y: axis(figure.y, { beginAtZero: true, ticks: { color: color('soft'), precision: 0 } }) }, false, {})
      };
    }
  };

  function draw() {
    charts.forEach(function (chart) { chart.destroy(); });
    charts = [];
    window.Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    figures.forEach(function (figure) {
      var place = document.getElementById(figure.id);
      var plot = place && place.querySelector('.plot');
      if (!plot || !kinds[figure.kind]) return;
      plot.hidden = false;
      var canvas = plot.querySelector('canvas');
      charts.push(new window.Chart(canvas, kinds[figure.kind](figure, canvas)));
    });
  }

  draw();
  document.querySelectorAll('figure details').forEach(function (details) { details.open = false; });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  window.addEventListener('beforeprint', function () { document.documentElement.classList.add('printing'); draw(); });
  window.addEventListener('afterprint', function () { document.documentElement.classList.remove('printing'); draw(); });
})();
