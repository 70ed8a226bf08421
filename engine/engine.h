/// How mechanisms move: all public headers of the engine.
#pragma once
#include <sarrus/batch.h>              // one model at many states, in vector lanes
#include <sarrus/derivatives.h>        // derivatives of the dynamics, Coriolis matrix, centroidal momentum
#include <sarrus/dynamics.h>           // kinematics, dynamics, Delassus matrix, energy at a state
#include <sarrus/linearisation.h>      // the linearised step
#include <sarrus/loops.h>              // assembly, inverse kinematics, redundant coordinates
#include <sarrus/parameters.h>         // masses, friction, gravity, … that change while a sim runs
#include <sarrus/results.h>            // recorded runs
#include <sarrus/rollout.h>            // many runs on a pool of threads
#include <sarrus/scene.h>              // scene files, trajectories, inputs over time
#include <sarrus/sensors.h>            // what instruments would show
#include <sarrus/simulation.h>         // state, steps, contacts, snapshots
#include <sarrus/simulation_options.h> // integrators, contact laws, materials, limits
