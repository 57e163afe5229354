//! The benchmark as one HTML page that needs nothing but itself: coverage curves, sizes against
//! the raw page, and the figures behind them.

use std::fmt::Write as _;

use anyhow::anyhow;
use plotters::prelude::*;

use super::measure::{Plan, Row};
use super::summary::{Summary, ratio, summaries, table};

/// One colour a representation, told apart also by those who see colours differently.
const COLORS: [RGBColor; 5] =
    [RGBColor(0, 90, 160), RGBColor(200, 80, 0), RGBColor(0, 130, 90), RGBColor(150, 60, 130), RGBColor(110, 110, 0)];

/// The page as it was saved.
const RAW: RGBColor = RGBColor(120, 120, 120);

const SIZE: (u32, u32) = (900, 380);

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\
    table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
    th,td{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #ddd}\
    th:first-child,td:first-child{text-align:left}figure{margin:2rem 0}svg{max-width:100%;height:auto}";

/// One of a summary's figures.
type Figure = fn(&Summary) -> usize;

/// The whole page.
pub(crate) fn html(rows: &[Row], plan: &Plan) -> anyhow::Result<String> {
    let summaries = summaries(rows, plan);
    let (pages, tasks) = summaries.first().map_or((0, 0), |summary| (summary.pages, summary.tasks));
    let mut page = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    writeln!(page, "<title>Token budgets</title>\n<style>{STYLE}</style>\n<h1>Token budgets</h1>")?;
    writeln!(page, "<p>{pages} pages, {tasks} tasks, tokens of {}.</p>", plan.encoding.name)?;
    if tasks > 0 && !plan.budgets.is_empty() {
        let curves: [(&str, Figure); 2] = [
            ("Tasks that can be done, snapshot made for the task", |summary| summary.covered_with_task),
            ("Tasks that can be done, snapshot made for nothing in particular", |summary| summary.covered_without_task),
        ];
        for (title, covered) in curves {
            figure(&mut page, &coverage_curves(title, covered, &summaries, plan)?);
        }
    }
    figure(&mut page, &sizes(rows, plan)?);
    push_table(&mut page, &table(rows, plan));
    page.push_str("<h2>Page by page, tokens without a budget</h2>\n");
    push_table(&mut page, &page_table(rows, plan));
    Ok(page)
}

fn figure(page: &mut String, svg: &str) {
    page.extend(["<figure>\n", svg, "\n</figure>\n"]);
}

/// A line for each representation: the share of tasks over the budgets, which stand in steps of
/// equal width.
fn coverage_curves(title: &str, covered: Figure, summaries: &[Summary], plan: &Plan) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 17))
            .margin(12)
            .margin_right(28)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(0..plan.budgets.len().saturating_sub(1).max(1), 0.0..1.0)
            .map_err(drawing)?;
        chart
            .configure_mesh()
            .x_labels(plan.budgets.len())
            .x_label_formatter(&|&step| plan.budgets.get(step).map(ToString::to_string).unwrap_or_default())
            .max_light_lines(1)
            .x_desc("budget in tokens")
            .y_desc("share of tasks")
            .draw()
            .map_err(drawing)?;
        for (kind, &color) in plan.representations.iter().zip(COLORS.iter().cycle()) {
            let of_kind = |summary: &&Summary| summary.representation == kind.name && summary.budget.is_some();
            let shares = summaries.iter().filter(of_kind).map(|summary| ratio(covered(summary), summary.tasks));
            let points: Vec<(usize, f64)> = shares.enumerate().collect();
            chart
                .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))
                .map_err(drawing)?
                .label(kind.name)
                .legend(move |(x, y)| Circle::new((x + 10, y), 4, color.filled()));
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, color.filled()))).map_err(drawing)?;
        }
        chart.configure_series_labels().position(SeriesLabelPosition::LowerRight).draw().map_err(drawing)?;
        area.present().map_err(drawing)?;
    }
    Ok(svg)
}

/// A point for each page and representation, the pages in order of their own size.
fn sizes(rows: &[Row], plan: &Plan) -> anyhow::Result<String> {
    let unlimited = |name: &str| -> Vec<&Row> {
        let mut rows: Vec<&Row> =
            rows.iter().filter(|row| row.budget.is_none() && row.representation == name).collect();
        rows.sort_by(|one, other| one.raw_tokens.cmp(&other.raw_tokens).then_with(|| one.page.cmp(&other.page)));
        rows
    };
    let pages = plan.representations.first().map(|kind| unlimited(kind.name)).unwrap_or_default();
    let fewest = rows.iter().map(|row| row.tokens).filter(|&tokens| tokens > 0).min().unwrap_or(1);
    let most = pages.iter().map(|row| row.raw_tokens).max().unwrap_or(1).max(10);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .caption("Size without a budget, page by page", ("sans-serif", 17))
            .margin(12)
            .margin_right(28)
            .x_label_area_size(36)
            .y_label_area_size(64)
            .build_cartesian_2d(0..pages.len().max(1), (fewest..most.saturating_mul(2)).log_scale())
            .map_err(drawing)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .max_light_lines(1)
            .x_desc("pages, the smallest first")
            .y_desc("tokens")
            .draw()
            .map_err(drawing)?;
        let raw = pages.iter().enumerate().map(|(place, row)| (place, row.raw_tokens.max(fewest)));
        chart
            .draw_series(LineSeries::new(raw, RAW.stroke_width(2)))
            .map_err(drawing)?
            .label("raw page")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], RAW.stroke_width(2)));
        for (kind, &color) in plan.representations.iter().zip(COLORS.iter().cycle()) {
            let points = unlimited(kind.name).into_iter().enumerate();
            chart
                .draw_series(points.map(|(place, row)| Circle::new((place, row.tokens.max(fewest)), 3, color.filled())))
                .map_err(drawing)?
                .label(kind.name)
                .legend(move |(x, y)| Circle::new((x + 10, y), 4, color.filled()));
        }
        chart.configure_series_labels().position(SeriesLabelPosition::LowerRight).draw().map_err(drawing)?;
        area.present().map_err(drawing)?;
    }
    Ok(svg)
}

/// A row a page: the raw size, then each representation's.
fn page_table(rows: &[Row], plan: &Plan) -> Vec<Vec<String>> {
    let mut headings = vec!["page".to_owned(), "raw".to_owned()];
    headings.extend(plan.representations.iter().map(|kind| kind.name.to_owned()));
    let mut table = vec![headings];
    let mut last: Option<&str> = None;
    for row in rows.iter().filter(|row| row.budget.is_none()) {
        if last != Some(row.page.as_str()) {
            table.push(vec![row.page.clone(), row.raw_tokens.to_string()]);
            last = Some(&row.page);
        }
        if let Some(cells) = table.last_mut() {
            cells.push(row.tokens.to_string());
        }
    }
    table
}

fn push_table(page: &mut String, rows: &[Vec<String>]) {
    page.push_str("<table>\n");
    for (place, row) in rows.iter().enumerate() {
        let tag = if place == 0 { "th" } else { "td" };
        page.push_str("<tr>");
        for cell in row {
            let escaped = cell.replace('&', "&amp;").replace('<', "&lt;");
            page.extend(["<", tag, ">", &escaped]);
        }
        page.push('\n');
    }
    page.push_str("</table>\n");
}

fn drawing(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("a chart cannot be drawn: {error}")
}
