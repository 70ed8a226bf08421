/// All of Sarrus.
#pragma once
#include <sarrus/base.h>
#include <sarrus/collision.h>
#include <sarrus/contact.h>
#include <sarrus/contact_file.h>
#include <sarrus/contact_judge.h>
#include <sarrus/engine.h>
#include <sarrus/mcp.h>
#include <sarrus/nonconvex.h>
#include <sarrus/ratio_metric.h>
#include <sarrus/surfaces.h>
#include <sarrus/topology.h>
