/// All of Sarrus.
#pragma once
#include <sarrus/base.h>
#include <sarrus/engine.h>
#include <sarrus/topology.h>
