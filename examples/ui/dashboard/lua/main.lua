-- Dashboard: numbers that an interval changes, and pages that follow.
--
-- The figures are made up here. An agent, or another module, could set the same fields from real ones.

local HISTORY = 40

local Metric = session:prototype("Metric", {
  name = "",
  unit = "",
  value = 0,
  low = 0,
  high = 100,
  history = EMPTY,
})

function Metric:new(instance)
  local metric = session:create(Metric, instance)
  metric.history = metric.history or {}
  return metric
end

function Metric:set(value)
  self.value = value
  table.insert(self.history, value)
  if #self.history > HISTORY then table.remove(self.history, 1) end
end

function Metric:shown()
  return string.format(self.high > 50 and "%.0f" or "%.1f", self.value)
end

-- The way of the value, as points of an SVG polyline 100 wide and 30 high.
function Metric:points()
  local points = {}
  for index, value in ipairs(self.history) do
    local x = (HISTORY - #self.history + index - 1) / (HISTORY - 1) * 100
    local y = 29 - (value - self.low) / (self.high - self.low) * 28
    points[#points + 1] = string.format("%.1f,%.1f", x, y)
  end
  return table.concat(points, " ")
end

function Metric:change()
  local before = self.history[#self.history - 1]
  if not before then return "" end
  local percent = before == 0 and 0 or (self.value - before) / before * 100
  return string.format("%+.1f %%", percent)
end

function Metric:isHigh()
  return self.value > self.low + (self.high - self.low) * 0.85
end

local Service = session:prototype("Service", { name = "", state = "ok", latency = 0, restarts = 0 })

local VARIANTS = { ok = "success", slow = "warning", down = "danger" }

function Service:variant() return VARIANTS[self.state] end
function Service:latencyText() return self.state == "down" and "–" or self.latency .. " ms" end
function Service:isUp() return self.state ~= "down" end

function Service:restart()
  self.state, self.latency, self.restarts = "ok", 20, self.restarts + 1
  session:getApp():note(self.name .. " was restarted")
  mcp.notify("service_restarted", { name = self.name, restarts = self.restarts })
end

local Dashboard = session:prototype("Dashboard", {
  metrics = EMPTY,
  services = EMPTY,
  log = "",
  running = true,
  ticks = 0,
})

function Dashboard:new(instance)
  local app = session:create(Dashboard, instance)
  app.metrics = app.metrics or {}
  app.services = app.services or {}
  return app
end

function Dashboard:summary()
  local down = {}
  for _, service in ipairs(self.services) do
    if service.state == "down" then down[#down + 1] = service.name end
  end
  if #down == 0 then return "All services answer" end
  return table.concat(down, ", ") .. (#down == 1 and " does" or " do") .. " not answer"
end

function Dashboard:health()
  return self:summary() == "All services answer" and "success" or "danger"
end

function Dashboard:paused()
  return not self.running
end

local LINES = 200

function Dashboard:note(text)
  local log = self.log .. os.date("%H:%M:%S ") .. text .. "\n"
  local _, lines = log:gsub("\n", "")
  for _ = LINES, lines - 1 do log = log:gsub("^[^\n]*\n", "", 1) end
  self.log = log
end

local function wander(value, low, high, step)
  return math.max(low, math.min(high, value + (math.random() - 0.5) * step))
end

-- Looked up by name at each tick, so that saving this file changes what the interval does.
function Dashboard:tick()
  if not self.running then return end
  self.ticks = self.ticks + 1
  for _, metric in ipairs(self.metrics) do
    metric:set(wander(metric.value, metric.low, metric.high, (metric.high - metric.low) / 5))
  end
  for _, service in ipairs(self.services) do
    if service.state ~= "down" then
      service.latency = math.floor(wander(service.latency, 5, 400, 60))
      service.state = service.latency > 250 and "slow" or "ok"
    end
  end
  if self.ticks % 20 == 0 then
    local service = self.services[math.random(#self.services)]
    if service.state ~= "down" then
      service.state = "down"
      self:note(service.name .. " stopped answering")
    end
  end
end

if not session.reloading then
  dashboard = Dashboard:new()
  for _, known in ipairs({
    { name = "Requests", unit = "per second", value = 420, low = 0, high = 900 },
    { name = "Errors", unit = "per minute", value = 2, low = 0, high = 20 },
    { name = "Memory", unit = "percent", value = 55, low = 20, high = 100 },
  }) do
    table.insert(dashboard.metrics, Metric:new(known))
  end
  for index, name in ipairs({ "gateway", "accounts", "search", "mail" }) do
    table.insert(dashboard.services, Service:new({ name = name, latency = 20 * index }))
  end
  dashboard:note("the dashboard began")
  for _ = 1, 12 do dashboard:tick() end
  session:createAppVariable(dashboard)
  session:setInterval(function() dashboard:tick() end, 1000)
end
